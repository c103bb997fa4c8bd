"""The encoding that a page names for itself, by HTML's prescan, and what page_links and base_url make of it."""

from __future__ import annotations

import pytest

import urlsm
from urlsm.documents.prescan import declared_encoding
from urlsm.unicode.encoding import _LABELS

HERE = "http://h/a/b"

ROWS = [
    (b"", None),
    (b"<meta charset=koi8-r>", "KOI8-R"),
    (b"<META CharSet = 'KOI8-R' >", "KOI8-R"),
    (b'<meta charset=" koi8-r ">', "KOI8-R"),
    (b"<meta/charset=koi8-r>", "KOI8-R"),
    (b"<meta charset=koi8-r/>", None),  # the value is "koi8-r/"
    (b'<meta charset="koi8-r"/>', "KOI8-R"),
    (b"<meta x charset=koi8-r y>", "KOI8-R"),
    (b"<meta charset=none><meta charset=koi8-r>", "KOI8-R"),
    (b"<meta charset=koi8-r charset=big5>", "KOI8-R"),
    (b"<meta name=a content='text/html; charset=big5'><meta charset=koi8-r>", "KOI8-R"),
    (b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "KOI8-R"),
    (b'<meta content="text/html; CHARSET = koi8-r; x" http-equiv=content-type>', "KOI8-R"),
    (b"<meta content='charset=\"koi8-r\"' http-equiv=content-type>", "KOI8-R"),
    (b"<meta content='charset=\"koi8-r' http-equiv=content-type>", None),
    (b"<meta content='charset charset=koi8-r' http-equiv=content-type>", "KOI8-R"),
    (b"<meta content='charset=big5' http-equiv=content-type charset=koi8-r>", "KOI8-R"),
    (b"<meta content='charset=big5' http-equiv=refresh>", None),
    (b"<meta content='charset=big5'>", None),
    (b"<meta charset=utf-16>", "UTF-8"),
    (b"<meta charset=x-user-defined>", "windows-1252"),
    (b"<meta charset=latin-1>", None),  # Python's name, and no label
    (b"<meta charset=cp949>", None),
    (b"<meta charset=latin1>", "windows-1252"),
    (b"<metax charset=koi8-r><meta>", None),
    (b"<!-- <meta charset=big5> --><meta charset=koi8-r>", "KOI8-R"),
    (b"<!--><meta charset=koi8-r>", "KOI8-R"),
    (b"<!-- <meta charset=koi8-r>", None),
    (b"<script>'<meta charset=koi8-r>'</script>", "KOI8-R"),  # it does not know scripts
    (b"<a title='<meta charset=big5>'><meta charset=koi8-r>", "KOI8-R"),
    (b"<a title='<meta charset=koi8-r>", None),
    (b"</a x='>'><meta charset=koi8-r>", "KOI8-R"),
    (b"<!doctype html '><meta charset=koi8-r>", "KOI8-R"),
    (b"<?x <meta charset=big5><meta charset=koi8-r>", "KOI8-R"),
    (b"< meta charset=big5>", None),
    (b"<meta charset>", None),
    (b"<meta charset=>", None),
    (b"<meta charset=><meta charset=koi8-r>", "KOI8-R"),
    (b"<meta charset=koi8-r", None),
    (b"<meta charset='koi8-r", None),
    (b"<meta \xff=\xfe charset=koi8-r>", "KOI8-R"),
    (b"<meta =charset=big5 charset=koi8-r>", "KOI8-R"),
    (b" " * 1003 + b"<meta charset=koi8-r>", "KOI8-R"),
    (b" " * 1004 + b"<meta charset=koi8-r>", None),
    (b'<?xml version="1.0" encoding="koi8-r"?>', "KOI8-R"),
    (b"<?xml version='1.0' encoding = 'koi8-r' ?>", "KOI8-R"),
    (b"<?xml encoding='big5'?><meta charset=koi8-r>", "KOI8-R"),
    (b" <?xml encoding='big5'?>", None),
    (b"<?xml encoding='big 5'?>", None),
    (b"<?xml encoding='utf-16'?>", "UTF-8"),
    ("<?xml?>".encode("utf-16-le"), "UTF-16LE"),
    ("<?xml?>".encode("utf-16-be"), "UTF-16BE"),
]


@pytest.mark.parametrize(("octets", "name"), ROWS)
def test_the_encoding_that_a_page_names(octets: bytes, name: str | None):
    assert declared_encoding(octets) == name


@pytest.mark.parametrize("octets", [octets for octets, _ in ROWS])
def test_any_beginning_of_a_page_is_read(octets: bytes):
    for end in range(len(octets)):
        declared_encoding(octets[:end])
        declared_encoding(octets[end:] + b"\0<\xff")


@pytest.mark.parametrize("name", _LABELS)
def test_every_label(name: str):
    meant = {"UTF-16BE": "UTF-8", "UTF-16LE": "UTF-8", "x-user-defined": "windows-1252"}.get(name, name)
    for label in (name, *_LABELS[name].split()):
        assert declared_encoding(f"<meta charset='{label}'>".encode()) == meta_of(label) == meant


def meta_of(label: str) -> str | None:
    return declared_encoding(f'<meta http-equiv=content-type content="text/html;charset={label}">'.encode())


def links(html: str | bytes, **options: object) -> list[str]:
    return [link.url.removeprefix("http://h/") for link in urlsm.documents.page_links(html, url=HERE, **options)]


def test_page_links_reads_the_encoding_of_octets():
    pytest.importorskip("lxml")
    page = "<meta charset=windows-1251><a href='/ж?ж'>".encode("cp1251")
    assert links(page) == ["%D0%B6?%E6"] == links(page.replace(b"1251>", b"1251 >"), encoding="cp1251")
    # a label that is given, as of a Content-Type, outdoes it, and a byte order mark outdoes both
    assert links(page, encoding="koi8-r") == ["%D0%A4?%E6"]
    marked = b"\xef\xbb\xbf" + "<meta charset=windows-1251><a href='/ж?ж'>".encode()
    assert links(marked) == links(marked, encoding="koi8-r") == ["%D0%B6?%D0%B6"]
    # a str is decoded already, by someone who knows
    assert links("<meta charset=windows-1251><a href='/ж?ж'>") == ["%D0%B6?%D0%B6"]
    assert links("<meta charset=windows-1251><a href='/ж?ж'>", encoding="windows-1251") == ["%D0%B6?%E6"]
    assert links("<a href='/é'>".encode("latin-1")) == ["%EF%BF%BD"]
    page = "<meta charset=shift_jis><a href='/?表'>".encode("cp932")  # its second octet is that of a backslash
    assert links(page) == ["?%95\\"]


def test_the_base_is_of_the_same_encoding():
    pytest.importorskip("lxml")
    page = "<meta charset=windows-1251><base href='/ж/?ж'><a href=''><a href='ж'>".encode("cp1251")
    assert links(page) == ["%D0%B6/?%E6", "%D0%B6/%D0%B6"]
    assert links(page, encoding="latin1") == ["%C3%A6/?%E6", "%C3%A6/%C3%A6"]


def test_base_of_reads_the_encoding_of_octets():
    page = "<meta charset=windows-1251><base href='/ж/?ж'>"
    octets = page.encode("cp1251")
    assert str(urlsm.documents.base_url(octets, url=HERE)) == "http://h/%D0%B6/?%E6"
    assert str(urlsm.documents.base_url(octets, url=HERE, encoding="koi8-r")) == "http://h/%D0%A4/?%E6"
    assert str(urlsm.documents.base_url(page, url=HERE)) == "http://h/%D0%B6/?%D0%B6"
    assert str(urlsm.documents.base_url(page, url=HERE, encoding="cp1251")) == "http://h/%D0%B6/?%E6"
    for codec in ("utf-16", "utf-8-sig"):
        assert str(urlsm.documents.base_url(page.encode(codec), url=HERE)) == "http://h/%D0%B6/?%D0%B6"
        assert (
            str(urlsm.documents.base_url(page.encode(codec), url=HERE, encoding="koi8-r")) == "http://h/%D0%B6/?%D0%B6"
        )
    assert (
        str(urlsm.documents.base_url(page.encode("utf-16-be"), url=HERE, encoding="utf-16be"))
        == "http://h/%D0%B6/?%D0%B6"
    )
    xml = "<?xml version='1.0'?><base href='/ж/'>".encode("utf-16-le")
    assert str(urlsm.documents.base_url(xml, url=HERE)) == "http://h/%D0%B6/"
    with pytest.raises(LookupError):
        urlsm.documents.base_url(octets, url=HERE, encoding="none")
    with pytest.raises(LookupError):
        urlsm.documents.base_url("", url=HERE, encoding="none")
    with pytest.raises(TypeError):
        urlsm.documents.base_url(octets, url=HERE, encoding=5)
