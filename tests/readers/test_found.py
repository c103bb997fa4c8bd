"""Texts beyond the recorded ones that a reader once read otherwise than the live program, with its answer."""

from __future__ import annotations

import pytest

from urlsm.security import compare_readers

REFUSED = None


@pytest.mark.parametrize(
    ("reader", "text", "component", "answer"),
    [
        # query=: /(%\H\H)/n, in which \H is also "%"; asked of Ruby 3.1.2
        ("ruby@3.1.2", "http://h/?%%g", "query", REFUSED),
        ("ruby@3.1.2", "http://h/?%g%", "query", REFUSED),
        ("ruby@3.1.2", "http://h/?%%1", "query", "%%1"),
        ("ruby@3.1.2", "http://h/?%g", "query", "%g"),
        # Number("0x0x1f") is NaN; asked of urijs 1.19.11
        ("urijs", "http://h:0x0x1f/", "port", REFUSED),
        ("urijs", "http://h:0o0o7/", "port", REFUSED),
        ("urijs", "http://h:0b0b1/", "port", REFUSED),
        ("urijs", "http://h:0x0b1/", "port", "0x0b1"),
        # parse_userinfo: ":@" leaves no user name, and the host may be empty; asked of url-py 2026.5.1
        ("url-py", "foo://:@//h\t", "path", "//h"),
        ("url-py", "foo://:@?q", "query", "q"),
        ("url-py", "foo://@/", "path", REFUSED),
        ("pydantic", "foo://:@/../a", "path", "/a"),
        # parse_path: a drive letter clears the host if it is the first segment
        ("url-py", "file://h//u:/p", "host", "h"),
        ("url-py", "file://h///../u:/p", "host", "h"),
        ("url-py", "file://h//../u:/p", "host", None),
        # an empty segment comes before it if "//" and no host do, whichever way the slashes lean
        ("url-py", "file:\\\\/c|/a", "path", "/c|/a"),
        ("url-py", "file:///../c|/a", "path", "/c:/a"),
        ("url-py", "foo:/.//C:/..", "path", "//C:/"),
        # idna 1: a label that decodes to one that begins with "xn--" is valid, which UTS 46 refuses
        ("url-py", "http://xn--xn---fa-hia/", "host", "xn--xn---fa-hia"),
        ("pydantic", "http://xn--xn---fa-hia/", "host", "xn--xn---fa-hia"),
        ("whatwg-url", "http://xn--xn---fa-hia/", "host", REFUSED),
        # lxb_punycode_decode: a delimiter comes after something; asked of PHP 8.5.10
        ("php-whatwg", "http://xn---n7c.com", "host", REFUSED),
        ("php-whatwg", "http://xn--n7c.com", "host", "xn--n7c.com"),
        # lxb_url_path_shorten: the number of segments is one less for each "..", and is less than none
        ("php-whatwg", "http://h/a/../../]b/../c", "path", "/]b/c"),
        ("php-whatwg", "http://h/a/../]b/../c", "path", "/c"),
        ("php-whatwg", "http://h/../]b/../c", "path", "/c"),
        # lxb_url_normalized_windows_drive_letter: what follows the drive letter does not matter
        ("php-whatwg", "file:///C:x/../a", "path", "/C:x/a"),
        ("php-whatwg", "file:///C:x]/../a", "path", "/C:x]/a"),
        # punycode_to_utf32: "-" is a delimiter even if nothing is before it; asked of Node.js 20.20.2 and ada 4.0.0
        ("node", "http://XN---n7c.com", "host", "xn---n7c.com"),
        ("node", "http://ｘn---n7c.com", "host", "xn---n7c.com"),
        ("node", "http://xn---0.com", "host", REFUSED),
        ("node", "http://xn---.com", "host", REFUSED),
        ("node-legacy", "http://xn---n7c.com", "host", "xn---n7c.com"),
        ("ada", "http://é.xn---n7c.com", "host", "xn--9ca.xn---n7c.com"),
        ("ada", "http://é.xn---0.com", "host", REFUSED),
        # consume_prepared_path: the first "\\" is no part of the path; nor is a file's path other than one of http
        ("node", "http:h\\a/.b/../c", "path", "/a/.b/../c"),
        ("node", "http:h\\a\\/.b/../c", "path", "/a//c"),
        ("node", "file:///a/.b/../c", "path", "/a/.b/../c"),
        ("node", "file:///C:/.b/../c", "path", "/C:/c"),
        # shorten_path: a first segment in a file URL need only begin with a drive letter
        ("node", "file:///C:x/..", "path", "/C:x/"),
        ("node", "file:///C|x/../a", "path", "/a"),
        ("node", "file:/C:x\\..\\^", "path", "/C:x/^"),
        ("node", "file://c|/C:x/..", "path", "/c:/"),
        # Unicode is that of the release; asked of each CPython, Node.js 20.20.2, URI 5.17 and GLib 2.74.4
        ("urllib.parse@3.6", "http://\u1c90\ua7b8/", "host", "\u1c90\ua7b8"),
        ("urllib.parse@3.7", "http://\u1c90\ua7ba/", "host", "\u10d0\ua7ba"),
        ("urllib.parse@3.10", "http://A\u2c2f\U0001057a%\u2c2f/", "host", "a\u2c2f\U0001057a%\u2c2f"),
        ("urllib.parse@3.11", "http://A\u2c2f\U0001057b\U0001057a\u1c89/", "host", "a\u2c5f\U0001057b\U000105a1\u1c89"),
        ("urllib.parse@3.14", "http://\u1c89\ua7dc\ua7ce/", "host", "\u1c8a\u019b\ua7ce"),
        ("urllib.parse@3.15", "http://\ua7ce\ua7d3\ua7d4\U00016ea0/", "host", "\ua7cf\ua7d3\ua7d5\U00016ebb"),
        ("url-parse", "http://\u1c89\U00016ea0/", "host", "\u1c8a\U00016ebb"),
        ("uri-js", "http://\u1c89/", "host", "xn--d4f"),
        ("perl@5.17", "http://\u2c2f\u1c89/", "host", "xn--c4f578d"),
        ("glib@2.74", "http://\U0001e030/", "host", "xn--80a"),
        ("php-whatwg", "http://\u0870.example/", "host", "xn--cxb.example"),
        ("ada", "http://x.\u180f.example/", "host", "x..example"),
        ("node", "http://\u180f\u0300.example/", "host", REFUSED),
        ("go@1.19", "http://\u0870.example/", "connects", ("\u0870.example", "80")),
        ("go@1.26", "http://\u0870.example/", "connects", ("xn--cxb.example", "80")),
        ("go@1.26", "http://\u088f.example/", "connects", ("\u088f.example", "80")),
        ("go@1.27", "http://\u088f.example/", "connects", ("xn--7xb.example", "80")),
        ("go@1.27", "http://\U0003f5b4.example/", "connects", ("\U0003f5b4.example", "80")),
        # bidi of x/net/idna is that of the characters before they are mapped
        ("go", "http://a\u2138.example/", "connects", ("xn--a-6hc.example", "80")),
        ("go", "http://a\u2138\u05d0.example/", "connects", ("a\u2138\u05d0.example", "80")),
        # MAX_RECURSION_COUNT of netwerk/base/nsNetUtil.cpp
        ("firefox", "view-source:" * 49 + "http://h/", "scheme", "view-source"),
        ("firefox", "view-source:" * 50 + "http://h/", "scheme", REFUSED),
    ],
)
def test_reads_as_the_live_program(reader, text, component, answer):
    view = compare_readers(text, readers=[reader]).views[reader]
    assert (REFUSED if view.refusal is not None else getattr(view, component)) == answer
