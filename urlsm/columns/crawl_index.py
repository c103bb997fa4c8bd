"""Makes the columns that Common Crawl's index contains for each URL.

https://github.com/commoncrawl/cc-index-table/blob/main/src/main/resources/schema/cc-index-schema-flat.json
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlsm.columns.calls import check_threads
from urlsm.columns.names import HOSTS, INDEX, WRITTEN, Schema
from urlsm.columns.work import (
    Array,
    ChunkedArray,
    Question,
    Source,
    Sources,
    Work,
    as_text,
    null_where_null,
    ports_of,
    source_of,
    struct_of,
    type_of,
)
from urlsm.components.value import dialect_number

if TYPE_CHECKING:
    from urlsm.crawler.sites import PublicSuffixList


def commoncrawl(
    column: Any, *, suffix_list: PublicSuffixList | None = None, layout: str | None = None, threads: int | None = 1
) -> Array | ChunkedArray:
    """Return the sixteen columns that Common Crawl's index contains for each URL, as a struct.

    The names, order and types match the index. url_surtkey is the key under the profile "commoncrawl". url_port,
    url_path and url_query are returned as written. The other columns describe the host. All are null if the URL is
    invalid.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        suffix_list: a public suffix list; None for the list in the installed publicsuffixlist package.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: the layout does not exist.
        ModuleNotFoundError: `suffix_list` is None, and publicsuffixlist is not installed: pip install
            'urlsm[suffixes]'.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> made = uc.commoncrawl(pa.array(["http://www.example.co.uk/a?b"]))
        >>> made.field("url_surtkey").to_pylist(), made.field("url_host_2nd_last_part").to_pylist()
        (['uk,co,example)/a?b'], ['co'])

    https://github.com/commoncrawl/cc-index-table
    """
    check_threads(threads)
    given = source_of(column)
    written = dialect_number("whatwg")
    questions = (
        Question(("href",), single=True, profile="commoncrawl", layout=layout),
        Question(HOSTS.values(), suffixes=suffix_list, layout=layout).with_hosts(only_listed=True),
        Question(WRITTEN.values(), dialect=written, layout=layout),
    )
    if not isinstance(given, Sources):
        return _made(given, questions, threads)
    kind = type_of(given.text_schema())
    texts = questions[0].schema(kind if kind.dictionary is None else kind.dictionary).format
    schema = [Schema("i" if name == "url_port" else texts, name) for name in INDEX]
    return ChunkedArray([_made(part, questions, threads) for part in given], Schema("+s", "", tuple(schema)))


def _made(given: Source, questions: tuple[Question, Question, Question], threads: int | None) -> Array:
    source = as_text(given)
    keys, hosts, written = (Work(question, source).run(threads) for question in questions)
    port, *others = map(written.field, WRITTEN.values())
    # an invalid URL has a key, too, and can be split
    keys, *others = [null_where_null(made, hosts.field("scheme")) for made in (keys, ports_of(port), *others)]
    return struct_of([keys, *map(hosts.field, HOSTS.values()), *others], INDEX)
