"""A secret is masked everywhere: a marker in each place of each scheme, and a search in every output."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.times import at_last, least_seconds

import urlsm
from urlsm.cli.app import main
from urlsm.errors.excerpt import with_caret
from urlsm.errors.masking import cut, is_token, masked_parts, secret_spans, without_secrets
from urlsm.errors.secret_names import NAMES
from urlsm.errors.secrets import is_secret_name
from urlsm.logging import MaskURLs
from urlsm.machine.driver import DIALECTS
from urlsm.meaning.registry import known
from urlsm.pictures import ansi, html, page, spans, svg

MARK = "mark5ecret"
SCHEMES = sorted(known())
NO_USER = {"data", "javascript", "urn", "tag", "jdbc", "view-source", "blob"}  # other things

PLACES = {
    "password": "{}://user:MARK@host/a",
    "password of nobody": "{}://:MARK@host",
    "password of a list of hosts": "{}://user:MARK@one:1,two:2/a",
    "password that is not a port": "{}://user:a/MARK@host/",
    "password with a blank": "{}://user:a/b MARK@host/",
    "password between blanks": "{}://user:a?b MARK c@host/",
    "password behind one slash": "{}:/user:MARK@host/",
    "password behind four slashes": "{}:////user:MARK@host",
    "password behind a backslash": "{}://bob:x@good.example\\:MARK@127.1/",
    "password that became a path": "{}://good.example/:MARK@127.1/",
    "token": "{}://ghp_MARK@host/a",
    "token with a password": "{}://glpat-MARK:x@host/a",
    "token, escaped": "{}://%67hp_MARK@host/a",
    "opaque": "{}:user:MARK@host",
    "parameter": "{}://host/a?x=1&password=MARK&y=2",
    "parameter of an opaque path": "{}:a;PassWord=MARK;b",
    "parameter in brackets": "{}:a?user[password]=MARK",
    "parameter in a list": "{}:a?user%5Bpassword%5D[0]=MARK",
    "parameter, escaped": "{}://host/?pass%77ord=MARK",
    "parameter of OAuth": "{}://host/#access_token=MARK&x=1",
    "repeated parameter": "{}://host/?password_confirmation=MARK",
    "within a path": "{}://host/http://user:MARK@host/",
    "within a query": "{}://host/?u=http://user:MARK@host/",
    "within a query, escaped": "{}://host/?u=http%3A%2F%2Fuser%3AMARK%40host%2F",
    "within a query, escaped by quote": "{}://host/?u=http%3A//user%3AMARK%40host/",
    "within a query, escaped twice": "{}://host/?u=http%253A%252F%252Fuser%253AMARK%2540host",
    "within a fragment": "{}://host/#//user:MARK@host/",
    "within an opaque path": "{}:http://user:MARK@host/",
    "token within": "{}:a?u=https://ghp_MARK@host/",
    "parameter, escaped twice": "{}://host/?pass%2577ord=MARK",
    "parameter in a list of names": "{}://host/??base??x=y,password=MARK",
    "Oracle": "{}:oracle:thin:user/MARK@host:1521:name",
}


def texts(scheme):
    for place, pattern in PLACES.items():
        if place != "opaque" or scheme not in NO_USER:
            yield pattern.format(scheme).replace("MARK", MARK)


def of_text(text_):
    """Yield all outputs for a text, URL or not."""
    for dialect in DIALECTS:
        yield str(urlsm.explain(text_, dialect=dialect))
        try:
            yield repr(urlsm.split(text_, dialect=dialect))
        except urlsm.ParseError as error:
            yield str(error) + repr(error)
    yield repr(urlsm.split(text_.encode()))
    yield with_caret(text_, len(text_))
    found = urlsm.security.compare_readers(text_)
    yield repr(found) + str(found.differences) + found._repr_html_()
    yield from (ansi(text_), html(text_), svg(text_), repr(spans(text_)), page(text_), page(text_, form=True))
    yield without_secrets(text_, whole=False)
    yield MaskURLs().masked(f"got '{text_}', and {text_} now")
    yield str([tuple(item) for item in urlsm.security.audit(text_)]) + str(
        [tuple(item) for item in urlsm.validate(text_)]
    )
    for read in (urlsm.parse, urlsm.parts):
        try:
            yield repr(read(text_))
        except urlsm.ParseError as error:
            yield str(error) + repr(error) + str(error.args)


def of_url(url):
    yield from (url.masked(), url.display(), f"{url:masked}", repr([*url.__rich_repr__()]), url._repr_html_())
    yield str(url.otel_attributes()) + repr(url.query_params)
    again = urlsm.whatwg.URL(url)
    yield repr(again) + repr(again.search_params)
    record = logging.LogRecord("x", logging.INFO, "f", 1, "%s", (url,), None)
    record.link = url
    MaskURLs().filter(record)
    yield str(vars(record))
    try:
        yield repr(url.parts)
    except urlsm.SchemeError as error:
        yield str(error)


ODD = [
    *("file:///user:MARK@host", "tel:+1;ext=user:MARK@host", "sms:+1;ext=u:MARK@h", "mailto:a,//u:MARK@h"),
    *("mailto:a@b,//u:MARK@h", "urn:/:MARK@h"),
    *[f"{name}://user;AUTH=*:MARK@host/" for name in ("imap", "sftp", "smb", "ssh", "x")],
]


@pytest.mark.parametrize("scheme", [*SCHEMES, *ODD])
def test_no_output_shows_the_marker(scheme, share):
    for given_ in [scheme.replace("MARK", MARK)] if scheme in ODD else share(texts(scheme), SCHEMES.index(scheme)):
        for shown in of_text(given_):
            assert MARK not in shown.lower(), given_
        url = urlsm.try_parse(given_)
        for shown in () if url is None else of_url(url):
            assert MARK not in shown.lower(), given_


@pytest.mark.slow(10)
@pytest.mark.parametrize("place", PLACES)
def test_the_excerpt_of_a_long_text_shows_no_marker(place):
    """In a long text, only the part near the caret is searched."""
    given_, fill = PLACES[place].format("x"), "z" * 6000
    for long in (MARK, MARK * (150 if "token" in place else 700)):
        for text_ in (
            given_.replace("MARK", long) + f"/{fill}",
            f"http://h:x/?{fill}&" + given_.replace("MARK", long),
            f"http://h:x/?y={fill};" + given_.replace("MARK", long) + f"&{fill}",
            f"http://h:x/\t{fill} " + given_.replace("MARK", long) + f"#{fill}%zz",
        ):
            start = text_.index(MARK)
            for position in {0, *range(start - 90, start + len(long) + 100, 7 if long == MARK else 997), len(text_)}:
                for excerpt in (with_caret(text_, position), with_caret(text_.encode(), position)):
                    assert MARK not in excerpt.lower(), (place, text_[:40], position - start)
    assert with_caret("x://h/" + fill + "<", 6006) == f"  …{'z' * 79}<\n  {' ' * 80}^"


@pytest.mark.once
@pytest.mark.parametrize("command", ["parse", "audit", "compare", "validate"])
def test_no_table_of_the_shell_shows_the_marker(command, capsys, share):
    every = share([text_ for scheme in SCHEMES for text_ in texts(scheme)])
    options = ["--explain", "--violations", "--dialect", "rfc3986"] if command == "parse" else []
    main([command, *options, "--table", "--", *every])
    if options:
        main(["parse", "--table", "--", *every])
    out, err = capsys.readouterr()
    assert "***" in out and MARK not in (out + err).lower()


@pytest.mark.parametrize(
    ("given_", "shown"),
    [
        ("jdbc:oracle:thin:scott/tiger@h:1521:orcl", "jdbc:oracle:thin:scott/***@h:1521:orcl"),
        ('jdbc:oracle:oci8:scott/"ti@ger"@//h/s', "jdbc:oracle:oci8:scott/***@//h/s"),
        ("jdbc:oracle:thin:@h:1521:orcl", "jdbc:oracle:thin:@h:1521:orcl"),
        ("jdbc:mysql://(host=h,user=u,password=p)/db", "jdbc:mysql://(host=h,user=u,password=***)/db"),
        ("jdbc:sqlserver://h;user=u;password={a;b};x=1", "jdbc:sqlserver://h;user=u;password=***;x=1"),
        ("https://bob:pw@good.example\\@127.1:8080/", "https://bob:***@good.example\\@127.1:8080/"),
        ("https://bob:pw@good.example\\:also@127.1/", "https://bob:***@good.example\\:***@127.1/"),
        ("http:\\\\bob:pw@good.example/\\@127.1", "http:\\\\bob:***@good.example/\\@127.1"),
        ("https://a%3Ab%40c:pw@h/", "https://a%3Ab%40c:***@h/"),
        ("https://ghp_x:x-oauth-basic@github.com/", "https://***:***@github.com/"),
        ("http://h/?next=/l?password=a%26b&c=d", "http://h/?next=/l?password=***&c=d"),
        ("mssql://h/d?PWD=x", "mssql://h/d?PWD=***"),
        ("mssql:///?odbc_connect=DRIVER%3Dx%3BPWD%3Dpw", "mssql:///?odbc_connect=DRIVER%3Dx%3BPWD%3D***"),
        ("jdbc:sqlserver://h;user=u;Pwd=x;a=1", "jdbc:sqlserver://h;user=u;Pwd=***;a=1"),
        ("h?private_key_file_pwd=x&cwd=/", "h?private_key_file_pwd=***&cwd=/"),
        ("view-source:sip:a:pw@h", "view-source:sip:a:***@h"),
        ("postgres://u:hunt#er2@h/db", "postgres://u:***@h/db"),
        ("http://h/?u=http:/\t/u:p\nw@h/", "http://h/?u=http:/\t/u:***@h/"),
    ],
)
def test_what_is_secret_is_masked_and_no_more(given_, shown):
    assert without_secrets(given_) == shown
    assert without_secrets(shown) == shown


@pytest.mark.parametrize(
    "harmless",
    [
        *("http://user@h/", "http://host:8080/@x", "http://[::1]:80/a@b", "http://h/a:b@c", "mailto:me@h", "acct:me@h"),
        *("http://h/?passive=1&passes=2&tokens=3&author=4", "urn:a:b@c", "data:,mailto:me@h", "view-source:mailto:a@b"),
        *("javascript:location='mailto:me@h'", "magnet:?xt=urn:btih:abc&dn=me@h", "mongodb://a:1,b:2/x?y=a@b"),
        *("http://h/img//a:b@2x.png", "http://h/?email=me%40h&next=https%3A%2F%2Fh%3A80%2Fx", "git@github.com:a/b"),
        *("https://npm_bot@h/", "https://glad-user@h/", "https://" + "a" * 52 + "x@h/"),
        *("oci://h/image@sha256-0", "tel:+1;ext=2", "http://h/x:/:@y"),
        *("http://h/?t=12:30:00&mail=me@h", "http://h/passwords/password?x=password", "jdbc:oracle:oci:@tns"),
        *("http://h/?pwdx=1&mypwd=2&cwd=3", "http://a%40b@h/", "http://h.b/a%3Ab@c", "http://h/pwd"),
    ],
)
def test_what_is_not_secret_stays(harmless):
    assert secret_spans(harmless) == secret_spans(harmless, whole=False) == []
    assert MaskURLs().masked(harmless) is harmless
    if url := urlsm.try_parse(harmless):
        assert repr(url) == f"URL({url.href!r})" and "***" not in repr(url.parts) + url.display() + html(harmless)
        assert url.host is None or "***" not in page(harmless)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("from http://h:8080 to me@h", None),
        ("at http://h:80, a/b of me@h", None),
        ("http://[::1]:80/a b me@h", None),
        ("http://h:80/a b: me@h", None),
        ("got http://u:a/b pw@h/ now", "got http://u:***@h/ now"),
        ("'http://u:a/b pw@h/' for me@h", "'http://u:***@h/' for me@h"),
        ("http://u:a/b pw@h/\nby me@h", "http://u:***@h/\nby me@h"),
    ],
)
def test_a_blank_in_a_text_stands_in_a_password_behind_a_slash_only(said, shown):
    assert without_secrets(said, whole=False) == (shown or said)


@pytest.mark.parametrize(
    "token",
    [
        *("ghp_x", "gho_x", "ghu_x", "ghs_x", "ghr_x", "github_pat_x_y", "0123456789abcdef" * 2 + "01234567"),
        *("glpat-x", "gldt-x", "glrt-x", "gloas-x", "glcbt-x", "glptt-x", "glft-x", "ATBB" + "x" * 32),
        *("ATCTT3" + "x" * 32, "npm_" + "x" * 36, "pypi-" + "x" * 40, "hf_" + "x" * 34, "xoxb-1234567890-x"),
        *("a2" * 26, "a" * 76 + "AZDOabcd", "sk_live_0123456789ab", "dckr_pat_" + "x" * 27),
    ],
)
def test_the_shapes_of_tokens(token):
    assert is_token(token) and repr(urlsm.parse(f"https://{token}@h/")) == "URL('https://***@h/')"
    assert token not in repr(urlsm.parse(f"https://{token}@h/").parts) + str(
        urlsm.security.compare_readers(f"https://{token}@h\\@i/")
    )


def test_the_names_that_are_secret():
    for name in (
        "password",
        "PASSWORD",
        "db.password",
        "sslPassword",
        "password2",
        "a[password][]",
        "Urlauth",
        "PWD",
        "a_pwd",
        *[name for name in NAMES if name[0] not in "!*" and name[-1] not in "*#"],
    ):
        assert is_secret_name(name)
        assert without_secrets(f"x://h/?a=1&{name}=v#f") == f"x://h/?a=1&{name}=***#f"
    for name in ("passwords", "passes", "passwordless", "a[passes]", "tokens", ""):
        assert not is_secret_name(name)
    assert is_secret_name("a[Name]", {"name"}) and without_secrets("?a[name]=1", {"name"}) == "?a[name]=***"


@pytest.mark.parametrize("given_", ["http:/\t/u:pw5@h", "x:\n//u:pw5@h", "http://h;a:pw5@b", "sms:glpat-pw5:x@h"])
def test_a_comparison_masks_what_another_reader_takes_for_a_password(given_):
    found = urlsm.security.compare_readers(given_)
    assert "pw5" not in repr(found) + str(found.differences) + found._repr_html_() + page(given_)


def test_connection_parameters_hold_no_password(capsys):
    main(["parse", "--table", "--dialect", "rfc3986", "ssh://u;a=b,c=*:pw5@h/", "sftp://u;fingerprint=ssh-rsa:pw5@h/"])
    assert "pw5" not in capsys.readouterr().out


def test_segments_are_masked_as_the_path_that_they_make():
    fields = [("path", "/http://u:p@h"), ("segments", ("http:", "", "u:p@h"))]
    assert masked_parts(fields) == ["/http://u:***@h", ("http:", "", "u:***@h")]
    assert masked_parts([("host", "h"), ("path", "/a:b@c")]) == ["h", "/a:b@c"]
    assert masked_parts([("host", None), ("path", "/a:b@c")]) == [None, "/a:***@c"]
    assert masked_parts([("path", "/a:b@c"), ("segments", ("a:b@c",))]) == ["/a:b@c", ("a:b@c",)]
    assert masked_parts([("data", b"http://u:p\xff@h")]) == [b"http://u:***@h"]


def test_telemetry_masks_each_attribute():
    found = urlsm.parse("https://me:pw@h/http://a:b1@i/x.gz?u=//c:d1@j&sig=x&password=e1#//f:g1@k").otel_attributes()
    assert found == {
        "url.full": "https://REDACTED:REDACTED@h/http://a:REDACTED@i/x.gz"
        "?u=//c:REDACTED@j&sig=REDACTED&password=REDACTED#//f:REDACTED@k",
        "url.scheme": "https",
        "url.domain": "h",
        "url.path": "/http://a:REDACTED@i/x.gz",
        "url.query": "u=//c:REDACTED@j&sig=REDACTED&password=REDACTED",
        "url.fragment": "//f:REDACTED@k",
    }
    assert urlsm.parse("sip:a:pw@h").otel_attributes()["url.path"] == "a:REDACTED@h"


pieces = st.sampled_from(
    [
        *"/:@?#&=;%\\[](),'\" \t{}",
        "//",
        "http:",
        "sip:",
        "jdbc:",
        "thin:",
        "u",
        "password",
        "%40",
        "%3D",
        "%25",
        "ghp_",
        "é",
    ]
)


@given(st.lists(pieces).map("".join), st.booleans(), st.booleans())
def test_spans_are_in_order_and_masking_again_changes_nothing_more(given_, whole, refused):
    found = secret_spans(given_, whole=whole, refused=refused)
    places = [place for span in found for place in span]
    assert places == sorted(set(places)) and all(0 <= place <= len(given_) for place in places)
    assert cut(given_, []) == given_
    assert len(without_secrets(given_, whole=whole, refused=refused)) >= len(given_) - sum(b - a for a, b in found)


@given(st.lists(pieces).map("".join))
def test_the_check_before_misses_nothing(given_):
    """Texts masked after an "@" and a parameter, which the check never passes, are masked without them."""
    tail = "\n//x:y@z?password="
    all_of_it = [span for span in secret_spans(given_ + tail, whole=False) if span[1] <= len(given_)]
    assert secret_spans(given_, whole=False) == all_of_it


@pytest.mark.slow(18)
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "mail a@b.c body 0123456789abcdef",
            "0123456789abcdef",
            "//a:x",
            "//a:x'",
            "//a:x/ ",
            "//a:x ",
            "//a/:x",
            "/:x",
            "tel:;ext=",
            "tel:;ext=a:",
            "a:b:c=",
            "a:b:c,",
            "thin:a/x'",
            "%25",
        ),
        *(
            "password=",
            "passwordpassword",
            "password[",
            "password={",
            "sip:",
            "sip:a:5060;",
            "view-source:",
            "/",
            "%40%3A",
        ),
        *(
            "a@b:",
            "//[u:x/",
            "://",
            "%2F%2Fa%3Ax",
            "jdbc:oracle:thin:a/",
            "(password=",
            "http://%40",
            "\t:@",
            "\u00e9=@:",
        ),
    ],
)
@pytest.mark.parametrize("end", ["", "@", "/@"])
def test_masking_takes_linear_time(piece, end):
    def seconds(n: int) -> float:
        text_ = (piece * (n // len(piece) + 1))[:n] + end
        return least_seconds(lambda: (secret_spans(text_), secret_spans(text_, whole=False)), 2)

    # eight times the length: a quadratic step takes 64 times as long
    assert at_last(lambda: (long := seconds(1 << 17)) < 0.05 or long < 30 * max(seconds(1 << 14), 0.002))
