"""urlsm columns knows what a file is: by its name, by --from, and of lines by the first ones. The rest is refused."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io

import pytest

pytest.importorskip("pyarrow")

CDXJ = (
    b'org,iana)/ 20140126200624 {"url": "http://www.iana.org/", "mime": "text/html"}\n'
    b'org,iana)/about 20140126200706 {"url": "http://www.iana.org/about"}\n'
)
CDX = (
    b" CDX N b a m s k r M S V g\n"
    b"org,iana)/ 20140126200624 http://www.iana.org/ text/html 200 OSSAPW - - 2258 334 iana.warc.gz\n"
    b"org,iana)/about 20140126200706 http://www.iana.org/about text/html 200 6G77 - - 2433 1482 iana.warc.gz\n"
)
NINE = b"".join(line[: line.index(b" - - ")] + b" - 334 iana.warc.gz\n" for line in CDX.splitlines()[1:])
OTHER_ORDER = b" CDX a b N\nhttp://www.iana.org/ 2014 x\nhttp://www.iana.org/about 2014 y\n"
TSV = b'url\tn\nhttp://ex.org/a\t1\nhttp://ex.org/"b"\t2\n'
WARC = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://www.iana.org/\r\n\r\n"
IANA = [["surt", "host"], ["org,iana)/", "www.iana.org"], ["org,iana)/about", "www.iana.org"]]


@pytest.fixture
def columns(run, tmp_path):
    """Run urlsm columns over octets in a file of this name: (exit code, rows, standard error)."""

    def columns(name, octets, *options):
        path = tmp_path / name
        path.write_bytes(octets)
        code, out, err = run("columns", str(path), *options)
        return code, list(csv.reader(io.StringIO(out))), err

    return columns


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress], ids=["plain", "gzip", "bz2"])
@pytest.mark.parametrize(
    ("name", "octets"),
    [
        *(("cdx-00001.gz", text) for text in (CDXJ, CDX, NINE)),
        *(("one.cdx", text) for text in (CDX, NINE, OTHER_ORDER)),
        *((name, CDXJ) for name in ("index", "one.cdxj", "a.txt")),
        ("header.txt", b"!OpenWayback-CDXJ 1.0\n" + CDXJ),
        ("crlf.cdx", CDX.replace(b"\n", b"\r\n")),
    ],
)
def test_an_index_of_archives_is_known(columns, pack, name, octets):
    code, rows, err = columns(name, pack(octets), "-f", "surt,host")
    assert (code, rows) == (0, IANA), err


def test_a_line_of_an_index_without_a_url_is_a_row(columns):
    code, rows, _ = columns("a.cdx", CDX + b"short line\n", "-f", "host")
    assert (code, rows) == (0, [["host"], ["www.iana.org"], ["www.iana.org"], [""]])
    code, _, err = columns("a.cdx", b" CDX N b\nx y\n", "-f", "host")
    assert code == 2 and "does not list the field for URLs" in err


@pytest.mark.parametrize(
    ("name", "octets", "said"),
    [
        ("iana.warc", WARC, "WARC"),
        ("iana.warc.gz", gzip.compress(WARC, mtime=0), "WARC"),
        ("a.avro", b"Obj\1\4\x14avro.codec", "Avro"),
        ("a.orc", b"ORC\0\0\1", "ORC"),
        ("t.txt", TSV, "--from tsv"),
        ("one-line", b"http://ex.org/a\t1", "--from tsv"),
        ("crlf.txt", TSV.replace(b"\n", b"\r\n"), "--from tsv"),
        ("a.json", b'[{"url": "http://ex.org/"}]', "JSON array"),
        ("a.json", b'\n [\n  {"url": "http://ex.org/"}]', "JSON array"),
        ("a.json", b'["http://ex.org/"]', "JSON array"),
        ("a.json", b'{"url": "http://ex.org/"}\n', "--from jsonl"),
        ("a.bin", bytes(range(256)) * 9, "control characters"),
        ("utf-16", "http://ex.org/\n".encode("utf-16-le") * 9, "control characters"),
        ("utf-32", "http://ex.org/\n".encode("utf-32"), "UTF-32"),
        ("a.txt", b"%PDF-1.7\n", "PDF"),
        ("a.txt", b"SQLite format 3\0", "SQLite"),
        ("a.arc", b"filedesc://x.arc 0.0.0.0 20140126200624 text/plain 76\n", "ARC"),
        ("a.orc", b"ORC\n\x06\x12\x04\x08dP\0\n", "ORC"),
        ("a.tar", b"links.txt".ljust(257, b"\0") + b"ustar" + bytes(250) + b"http://ex.org/\n" * 5000, "tar"),
        ("cr.txt", b"http://ex.org/a\rhttp://ex.org/b\r", "CR alone"),
        ("ragged", b"url\tn\nhttp://ex.org/a\t1\t2\nhttp://ex.org/b\n", "--from tsv"),
        ("comment", b"# a\nurl\tn\nhttp://ex.org/a\t1\n", "--from tsv"),
        ("a.csv", TSV, "--from tsv"),
        ("a.csv", TSV[6:], "--from tsv"),
        *((name, b"http://ex.org/a\nhttp://ex.org/b\n", "none of its first lines") for name in ("a.cdx", "a.cdxj")),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_what_is_not_read_is_refused(columns, pack, name, octets, said):
    code, rows, err = columns(name, octets if octets[:2] == b"\x1f\x8b" else pack(octets), "-f", "host")
    assert (code, rows) == (2, []) and said in err and name in err


def test_an_index_is_read_by_its_lines_not_its_name(columns):
    assert columns("a.cdx", CDXJ, "-f", "surt,host")[:2] == (0, IANA)
    assert columns("a.cdxj.gz", gzip.compress(CDX), "-f", "surt,host")[:2] == (0, IANA)
    for kind, octets in (("cdx", CDXJ), ("cdxj", CDX), ("cdx", TSV), ("cdxj", TSV)):
        code, rows, err = columns("a.txt", octets, "--from", kind, "-f", "host")
        assert (code, rows) == (2, []) and "none of its first lines" in err
    for name in ("a.cdx", "a.cdxj"):
        assert columns(name, b"", "-f", "host")[:2] == (0, [["host"]])


def test_a_text_may_begin_as_the_name_of_a_format(columns):
    assert columns("a.csv", b"ORCID,url\n1,http://ex.org/\n", "-c", "url", "-f", "host")[1][1] == ["ex.org"]
    for line in (b"ORC.html", b"WARC/index.html"):
        code, rows, _ = columns("a.txt", line + b"\n", "-b", "http://ex.org/", "-f", "href")
        assert (code, rows[1]) == (0, ["http://ex.org/" + line.decode()])


def test_text_compressed_twice_is_refused(columns):
    for again in (gzip.compress, bz2.compress):
        code, _, err = columns("a.gz", gzip.compress(again(b"http://ex.org/\n")), "-f", "host")
        assert code == 2 and "within another compression" in err


def test_a_cr_within_a_line_is_a_refused_row(columns, tmp_path):
    refused = tmp_path / "refused.csv"
    lines = b"http://ex.org/a\r\nhttp://ex.org/\rb\nhttp://ex.org/c\r\r\nhttp://ex.org/d\r\te\nhttp://ex.org/f\n"
    code, rows, _ = columns("links", lines, "-f", "path", "--errors-to", str(refused), "--strict")
    assert code == 1 and [row[0] for row in rows[1:]] == ["/a", "", "/c", "", "/f"]
    assert list(csv.reader(io.StringIO(refused.read_bytes().decode(), newline="")))[1:] == [
        ["1", "carriage-return-not-allowed", "14", "http://ex.org/\rb"],
        ["3", "tab-not-allowed", "16", "http://ex.org/d\r\te"],
    ]


def test_a_later_line_with_a_tab_is_a_refused_row(columns, tmp_path):
    lines = b"http://ex.org/a\nhttp://ex.org/b\t1\n\thttp://ex.org/c\nhttp://a b/\nhttp://ex.org/d\n"
    refused = tmp_path / "refused.csv"
    for options in ((), ("-b", "http://base.example/"), ("--threads", "3")):
        code, rows, _ = columns(
            "links", lines, "-f", "href,scheme,port", "--errors-to", str(refused), "--strict", *options
        )
        assert code == 1
        assert [row[0] for row in rows] == ["href", "http://ex.org/a", "", "", "", "http://ex.org/d"]
        told = list(csv.reader(io.StringIO(refused.read_text())))
        assert told[1:3] == [
            ["1", "tab-not-allowed", "15", "http://ex.org/b\t1"],
            ["2", "tab-not-allowed", "0", "\thttp://ex.org/c"],
        ]
        assert told[3][0] == "3"
    code, rows, _ = columns(
        "links", lines, "-f", "error_code,error_position,host,registrable_domain,key,fingerprint,query_param:x"
    )
    assert code == 0 and rows[2][:3] == ["tab-not-allowed", "15", ""] and rows[2][3:] == [""] * 4
    code, rows, err = columns("links", lines, "-f", "can_parse,host")
    assert code == 0 and [row[0] for row in rows[1:]] == ["true", "false", "false", "false", "true"]
    assert err.startswith("5 rows, 3 refused, 0 null, ")
    # a tab within a cell of another format is the URL's
    assert columns("a.csv", b'url\n"http://ex.org/a\tb"\n', "-f", "href")[1][1] == ["http://ex.org/ab"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.jsonl", "a.tsv", "a.cdxj"])
def test_a_byte_order_mark(columns, encoding, name):
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-8": codecs.BOM_UTF8}[encoding]
    urls = [f"http://b\u00fccher.example/{k}/\U0001f600" for k in range(3000)]
    text = {
        "a.txt": "\n".join(urls),
        "a.csv": "url,n\n" + "".join(f'"{url}",1\n' for url in urls),
        "a.tsv": "url\tn\n" + "".join(f"{url}\t1\n" for url in urls),
        "a.jsonl": "".join(f'{{"url": "{url}"}}\n' for url in urls),
        "a.cdxj": "".join(f'x 1 {{"url": "{url}"}}\n' for url in urls),
    }[name]
    code, rows, err = columns(name, mark + text.encode(encoding), "-f", "host,path", "-c", "url")
    assert code == 0, err
    assert rows[1:] == [["xn--bcher-kva.example", f"/{k}/%F0%9F%98%80"] for k in range(3000)]


def test_from_says_what_a_file_is(columns, run, monkeypatch):
    assert columns("t.txt", TSV, "--from", "tsv", "-c", "url", "-f", "href")[1] == [
        ["href"],
        ["http://ex.org/a"],
        ["http://ex.org/%22b%22"],
    ]
    assert columns("t.tsv", TSV, "-c", "n", "-k", "-f", "href")[1][1] == ["http://ex.org/a", "1", ""]
    assert columns("t", b"url,n\nhttp://ex.org/,1\n", "--from", "csv", "-c", "url", "-f", "host")[1][1] == ["ex.org"]
    assert columns("a.json", b'{"u": "http://ex.org/"}\n', "--from", "jsonl", "-c", "u", "-f", "host")[1][1] == [
        "ex.org"
    ]
    assert columns("t.csv", b"http://ex.org/,1\n", "--from", "lines", "-f", "path")[1][1] == ["/,1"]
    code, _, err = columns("t.tsv", b"http://ex.org/a\t1\n", "--from", "lines", "-f", "path", "--strict")
    assert code == 1
    code, _, err = columns("t", b"no parquet", "--from", "parquet", "-f", "host")
    assert code == 2 and "not a valid parquet file" in err
    for kind in ("parquet", "arrow"):
        code, _, err = run("columns", "-", "--from", kind, "-f", "host")
        assert code == 2 and "cannot be read from standard input" in err
    for octets, options in ((CDX, ()), (CDX, ("--from", "cdx")), (CDXJ, ()), (CDXJ, ("--from", "cdxj"))):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(octets)))
        code, out, err = run("columns", "-", "-f", "surt,host", *options)
        assert list(csv.reader(io.StringIO(out))) == IANA, err


@pytest.mark.parametrize("ending", ["cdxj", "cdx", "cdx.gz"])
def test_a_kind_that_is_only_read_is_no_output(columns, tmp_path, ending):
    code, _, err = columns("a.txt", b"http://ex.org/\n", "-f", "host", "-o", str(tmp_path / f"out.{ending}"))
    assert code == 2 and "can only be read" in err and not (tmp_path / f"out.{ending}").exists()


def test_lines_of_every_octet_stay_lines(columns):
    """Octets beyond ASCII, a few control characters, empty lines, addresses in brackets: no other format."""
    lines = b"[::1]\n\n//b\xfccher.example/\xff\nhttp://a\0b/\nhttp://ex.org/\x01\n{x}/y\n# a comment\n"
    code, rows, _ = columns("links", lines, "-f", "host", "-b", "http://base.example/")
    assert code == 0 and len(rows) == 8 and rows[1] == ["base.example"] and rows[4] == [""] and rows[5] == ["ex.org"]
    assert columns("empty", b"", "-f", "host")[:2] == (0, [["host"]])
