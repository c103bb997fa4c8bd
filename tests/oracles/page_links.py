"""urlsm.documents.page_links on a folder of saved pages, beside Scrapy's LinkExtractor: the links of a and area, in
order.

    cd tests && python -m oracles.page_links FOLDER     of *.html; each page is at https://www.example.org/a/NAME

Both texts are compared as safe_url_string writes them, without an empty fragment: Scrapy drops that, and encodes more.
It prints the pages that differ still. Expected are: a base element after the first 4,096 characters, which Scrapy does
not look for; xlink:href of SVG, which it does not know; a text that is not a URL, such as http://<name>/, which it
keeps; what is within a template, which it reads.
"""

from __future__ import annotations

import argparse
import pathlib
from collections import Counter

from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from w3lib.url import safe_url_string

import urlsm
from urlsm.documents import page_links

SCHEMES = ("http:", "https:", "file:", "ftp:")  # LinkExtractor's


def written(url: str) -> str:
    text, _, fragment = safe_url_string(url).partition("#")
    parsed = urlsm.try_parse(text)
    return (parsed.href if parsed else text) + ("#" + fragment.replace("#", "%23") if fragment else "")


def compare(path: pathlib.Path, extractor: LinkExtractor) -> tuple[list[str], list[str]]:
    """Return the links of a page that Scrapy finds, and ours."""
    response = HtmlResponse("https://www.example.org/a/" + path.name, body=path.read_bytes())
    theirs = extractor.extract_links(response)
    ours = page_links(response.text, url=response.url, tags=("a", "area"), encoding=response.encoding)
    return (
        [written(link.url + "#" * bool(link.fragment) + link.fragment) for link in theirs],
        [written(link.url) for link in ours if link.url.startswith(SCHEMES)],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    extractor, counts = LinkExtractor(unique=False, deny_extensions=[]), Counter[str]()
    for path in sorted(parser.parse_args().folder.rglob("*.html")):
        theirs, ours = compare(path, extractor)
        counts += Counter({"pages": 1, "links": len(ours), "equal pages": theirs == ours})
        if theirs != ours:
            print(
                path,
                "only Scrapy:",
                [*(Counter(theirs) - Counter(ours))],
                "only ours:",
                [*(Counter(ours) - Counter(theirs))],
            )
    print(dict(counts))


if __name__ == "__main__":
    main()
