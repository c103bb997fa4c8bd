"""The table of secret names, and what is masked by it: everywhere the same.

Rows with a letter and a number are of the review of e498d79 (reports-4: h is hostile.json, j jobs.json, from 0).
"""

from __future__ import annotations

import datetime
import re

import pytest
from support.times import at_last, least_seconds

import urlsm
from urlsm import schemes, split
from urlsm.errors import secret_names
from urlsm.errors.excerpt import with_caret
from urlsm.errors.masking import secret_spans, without_secrets
from urlsm.errors.secrets import is_secret_name
from urlsm.logging import MaskURLs
from urlsm.meaning.registry import handler

NAMES = [row.name for row in secret_names.TABLE if row.name[0] != "!"]


def spellings(name: str) -> set[str]:
    """The names that a row stands for, as the module says."""
    found = {name.replace("*", middle).replace("#", digits) for middle in ("db", "my_own") for digits in ("", "12")}
    return {
        re.sub(r"(?<=\*)_|_(?=\*)" if "*" in name else "_", sign, text)
        for text in (found if "*" not in name else {name.replace("#", "1"), name.replace("#", "")})
        for sign in ("_", "-", ".", *([""] if "*" not in name else []))
    } | found


def shown_everywhere(text: str):
    """Yield each place that shows a URL."""
    url = urlsm.parse(text)
    yield from (
        repr(url),
        url.masked(),
        url.display(),
        str(url.otel_attributes()),
        repr(url.query_params),
        repr(url.parts),
    )
    yield from (MaskURLs().masked(text), MaskURLs().masked(f"got {text}, twice"), str(urlsm.explain(text)))
    yield from (without_secrets(text), with_caret(text, len(text)), with_caret(text + " " * 5000, len(text)))
    yield (
        repr(urlsm.split(text))
        + repr(urlsm.security.compare_readers(text))
        + repr(urlsm.whatwg.URL(text).search_params)
    )


@pytest.mark.parametrize("name", NAMES)
def test_each_name_of_the_table_is_masked_everywhere(name):
    beside = secret_names.BESIDE.get(name)
    tail = f"&{beside}=1" if beside else ""
    first, *others = sorted(text for text in spellings(name) if "*" not in text)
    assert beside or all(map(is_secret_name, (first, *others)))
    for query in (f"{first}=hunter2{tail}", f"x=1&{first.title()}%20=hunter2;hunter2{tail}#f"):
        for shown in shown_everywhere(f"https://h.example/o?{query}"):
            assert "hunter2" not in shown, (query, shown)
    for spelling in others:
        for written in (spelling, spelling.upper()):
            text = f"https://h.example/o?{written}=hunter2{tail}"
            assert "hunter2" not in repr(urlsm.parse(text)) + MaskURLs().masked(text), written


def test_the_table_is_dated_and_has_no_row_twice():
    assert datetime.date.fromisoformat(secret_names.AS_OF) >= datetime.date(2026, 11, 26)
    assert len(secret_names.NAMES) + len(secret_names.BESIDE) == len(secret_names.TABLE)
    assert all(row.source and row.name == row.name.lower() for row in secret_names.TABLE)


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("X-Goog-Signature=SECRET", "X-Goog-Signature=***"),  # j55
        ("security-token=SECRET", "security-token=***"),  # j56
        ("q-signature=SECRET", "q-signature=***"),  # j57
        ("code=SECRET&state=x", "code=***&state=x"),  # j58; alone, "code" may be a country's (issue 39, 4.4)
        ("state=x&code=SECRET#f", "state=x&code=***#f"),
        ("code=SECRET", "code=SECRET"),
        ("code=SECRET&states=x", "code=SECRET&states=x"),
        ("private_token=SECRET", "private_token=***"),  # j59
        ("X-Amz-Signature=SECRET", "X-Amz-Signature=***"),  # j60
        ("X-Amz-Credential=SECRET", "X-Amz-Credential=***"),  # j61
        ("X-Amz-Security-Token=SECRET", "X-Amz-Security-Token=***"),  # j62
        ("x-oss-signature=a&Signature=b&AWSAccessKeyId=c", "x-oss-signature=***&Signature=***&AWSAccessKeyId=***"),
        ("token=a&api_key=b&id_token=c&jwt=d", "token=***&api_key=***&id_token=***&jwt=***"),
        ("pass=a&passwd=b&secret=c&sig=d", "pass=***&passwd=***&secret=***&sig=***"),
        ("password=a;b&c=d", "password=***&c=d"),
        ("password={a}b;c&d=e", "password=***&d=e"),
        ("x=1;password=a;b=c", "x=1;password=***;b=c"),
        ("password%20=hunter2", "password%20=***"),  # h37
        ("password =hunter2", "password =***"),  # h38
        ("password%00=hunter2", "password%00=***"),  # h39
        ("%20password+%09%0a=hunter2", "%20password+%09%0a=***"),
        ("+sig%20=hunter2", "+sig%20=***"),
        ("password%2520=hunter2", "password%2520=***"),
        ("page_token=a&nextPageToken=b&next-token=c", "page_token=a&nextPageToken=b&next-token=c"),
        ("keyword=a&author=b&design=c&passive=d&countrycode=e", "keyword=a&author=b&design=c&passive=d&countrycode=e"),
    ],
)
def test_what_is_masked_of_a_query_and_no_more(query, shown):
    for start in ("https://h.example/o?", "/o?", "postgresql://h.example/d?"):
        assert without_secrets(start + query) == MaskURLs().masked(start + query) == start + shown
        said = MaskURLs().masked(f"GET {start}{query} 200")
        assert said == f"GET {start}{shown} 200"
    query = urlsm.parse(f"https://h.example/o?{query}").query
    told = urlsm.parse(f"https://h.example/o?{query}").otel_attributes()["url.query"]
    assert told == without_secrets(f"?{query}")[1:].replace("***", "REDACTED")
    assert ("***" in without_secrets(f"?{query}")) is ("***" in shown)


def test_a_name_with_a_kelvin_sign_or_a_line_break_is_masked():
    kelvin = "access_\u212aey=SECRET"  # its lower case is "access_key"
    assert without_secrets(f"?{kelvin}") == MaskURLs().masked(f"?{kelvin}") == "?access_\u212aey=***"
    assert "SECRET" not in urlsm.parse(f"https://h.example/?{kelvin}").display()
    for blank in ("%09", "%0A", "%0D"):  # the parser of the URL Standard removes them, once they are decoded
        assert "SECRET" not in repr(urlsm.parse(f"mongodb://h/d%3Fapi{blank}_key=SECRET").parts)
        assert "SECRET" not in repr(urlsm.parse(f"https://h/?q=api{blank}_key%3DSECRET").query_params)


@pytest.mark.parametrize(
    "said",
    [
        *("exit code=3 in state=done", "tests: pass=10 fail=2", "SIGINT, sig=2", "otp=1 release", "signature=f(x)"),
        *("code=7", "state=5, code=7", "the keys: key=1"),
    ],
)
def test_everyday_words_are_no_parameters_in_running_text(said):
    assert MaskURLs().masked(said) is said


def test_a_code_of_another_url_in_the_text_is_not_beside_a_state():
    said = "from /a?state=1 to /b?code=2 and /c?code=SECRET&state=3"
    assert MaskURLs().masked(said) == said.replace("SECRET", "***")


# --- user information ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgres://u:\\hunter2@db.example/x", "postgres://u:***@db.example/x"),  # h32
        ("amqp://u:\\hunter2@h/", "amqp://u:***@h/"),  # h33
        ("postgres://:\\hunter2@db/x", "postgres://:***@db/x"),  # h34
        ("mongodb://u:\\hunter2@h/", "mongodb://u:***@h/"),  # h35
        ("https://u:\\hunter2@h/", "https://u:***@h/"),  # h36
        ("https://u:\\\\hunter2@h/", "https://u:***@h/"),
        ("x://u:\\hun/ter2@h/", "x://u:***@h/"),
        ("nats://TOKEN@h:4222", "nats://***@h:4222"),
        ("NATS://TOKEN@h", "NATS://***@h"),
        ("nats://u:hunter2@h", "nats://u:***@h"),
        ("nats://hunter2@h,nats//hunter2@b", "nats://***@h,nats//***@b"),  # as the URL Standard writes two servers
        ("nats://hunter2%40h,hunter2@b", "nats://***%40h,***@b"),
        ("nats://T1@h,T2@i,tls://T3@j,u:p@k,l", "nats://***@h,***@i,tls://***@j,u:***@k,l"),
        ("x-nats://me@h", "x-nats://me@h"),
        ("https:u:\\hunter2@h/", "https:u:***@h/"),  # the URL Standard needs no slashes
        ("HTTP:u:\\\\hunter2@h/x", "HTTP:u:***@h/x"),
        ("wss:u:\\hun/ter2@h", "wss:u:***@h"),
        ("foo:u:\\name@h/", "foo:u:\\name@h/"),
        ("mysql://u:1/hunter2@h/d", "mysql://u:***@h/d"),  # SQLAlchemy: the password is "1/hunter2"
        ("PostgreSQL+psycopg2://u:/hunter2@h:1/d?x=1", "PostgreSQL+psycopg2://u:***@h:1/d?x=1"),
        ("oracle+cx_oracle://u:8/a/hunter2@h", "oracle+cx_oracle://u:***@h"),
        ("mysql://h:3306/d?user=a@b.example", "mysql://h:3306/d?user=a@b.example"),
        ("sftp://h:22/a@b", "sftp://h:22/a@b"),
    ],
)
def test_user_information_in_logs(text, shown):
    assert MaskURLs().masked(text) == shown and without_secrets(text) == shown
    assert MaskURLs().masked(f"at '{text}' now") == f"at '{shown}' now"


@pytest.mark.parametrize(
    "text", ["https://u:\\hunter2@h/", "HTTP://me:\\hunter2@h.example/x?y", "ws://u:\\\\hunter2@h"]
)
def test_what_became_a_path_is_masked_too(text):
    url = urlsm.parse(text)
    again = urlsm.parse(str(url))
    for one in (url, again):
        shown = (
            repr(one),
            one.masked(),
            one.display(),
            str(one.otel_attributes()),
            repr(one.parts),
            MaskURLs().masked(str(one)),
        )
        assert "hunter2" not in str(shown[:4]) + shown[5]
    assert "hunter2" not in str(urlsm.security.compare_readers(text).differences) + repr(
        urlsm.security.compare_readers(text)
    )
    for dialect in ("whatwg", "rfc3986", "stdlib", "barth"):
        assert "hunter2" not in str(urlsm.explain(text, dialect=dialect))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "https://h.example/pkg@1.0",
            "http://localhost/pkg@1.0",
            "http://go:8080/a@b",
            "https://u/@name",
            "https://u/a/b@c",
        ),
        *(
            "http://intranet/pkg@1.0",
            "http://npm/vue@3/dist",
            "http://go/x@v1.2.3-beta.1?y",
            "http://h/p@18.2.0-rc+1#z",
        ),
        *("http://[::1]/a@b", "ssh://h/a@b", "http://u/a:b@c", "http://h.example/x/http://i.example/a@b"),
    ],
)
def test_other_paths_with_an_at_sign_stay(text):
    assert urlsm.parse(text).masked() == text == MaskURLs().masked(text)


@pytest.mark.parametrize(
    "server",
    ["h", "10.0.0.1", "10.0.0.1:80", "3com.example", "1-2.example", "1.0.example", "1.0-2.example", "1@h", "v1:8"],
)
def test_a_server_is_not_taken_for_a_version(server):
    for text in (f"https://u/hunter2@{server}/", f"https://u/hunter2@{server}"):
        assert "hunter2" not in MaskURLs().masked(text) + without_secrets(text) + repr(urlsm.parse(text))


def test_a_semicolon_is_a_part_of_a_secret_in_parts_too():
    for query in ("?", "#"):
        assert "hunter2" not in repr(urlsm.parts(f"https://h/{query}x=1&password=a;hunter2&b=2"))
    assert "a;b" in repr(urlsm.parts("https://h/?x=a;b"))


def test_the_parts_and_views_of_a_token_without_a_password():
    assert "TOKEN" not in repr(urlsm.parts("nats://TOKEN@h,tls://TOKEN@i")) + repr(urlsm.parse("nats://TOKEN@h").parts)
    assert "username='u'" in repr(urlsm.parts("nats://u:p@h"))
    assert "TOKEN" not in str(urlsm.security.compare_readers("nats://TOKEN@a\\@b").differences)
    assert "token='My token'" in repr(urlsm.parts("pkcs11:token=My%20token;object=a"))


# --- callers' names ------------------------------------------------------------------------------


def test_callers_extend_or_replace_the_table():
    text = "https://u:hunter2@h/?sid=1&x-acme-a=2&sig=3&password=4&otp=5"
    assert MaskURLs(secrets=["SID", "x_acme_*"]).masked(text) == (
        "https://u:***@h/?sid=***&x-acme-a=***&sig=***&password=***&otp=***"
    )
    assert MaskURLs(secrets=["!sig", "!*password#"]).masked(text) == (
        "https://u:***@h/?sid=1&x-acme-a=2&sig=3&password=4&otp=***"
    )
    assert MaskURLs(secrets=["sid"], replace=True).masked(text) == (
        "https://u:***@h/?sid=***&x-acme-a=2&sig=3&password=4&otp=5"
    )
    assert MaskURLs(replace=True).masked(text) == text.replace("hunter2", "***")
    assert MaskURLs(secrets=["page_token"]).masked("/?page_token=1") == "/?page_token=***"
    assert MaskURLs(secrets=["code"]).masked("code=1") == "code=***"
    assert MaskURLs(replace=True).masked("/?code=1&state=2") == "/?code=1&state=2"
    assert MaskURLs(replace=True).masked("otpauth://totp/a?secret=b") == "otpauth://totp/a?secret=***"


def test_replaced_names_hold_for_arguments_and_fields(caplog):
    import logging

    for names, replace, wanted in (
        (["sid"], True, ("***", "2")),
        (["sid"], False, ("***", "***")),
        ([], True, ("1", "2")),
    ):
        record = logging.makeLogRecord(
            {"msg": "%s", "args": (urlsm.parse("https://h/?sid=1&sig=2"),), "sid": "1", "sig": "2"}
        )
        MaskURLs(secrets=names, replace=replace).filter(record)
        assert record.getMessage() == f"https://h/?sid={wanted[0]}&sig={wanted[1]}"
        assert (record.sid, record.sig) == wanted


def test_wrong_names_are_errors():
    for wrong, error in ((["a", 1], TypeError), ([""], ValueError), (["!"], ValueError), (None, TypeError)):
        with pytest.raises(error):
            MaskURLs(secrets=wrong)


@pytest.mark.slow(8)
@pytest.mark.parametrize(
    "piece",
    [
        "%20",
        "+%20",
        "sig%20",
        "code=&",
        "code=1&state= ",
        "nats://",
        "nats://a@b,",
        "a@,",
        "token",
        "x_",
        "//u:\\",
        "password= ",
    ],
)
def test_masking_takes_linear_time(piece):
    def seconds(n: int) -> float:
        text = "nats://" + (piece * (n // len(piece) + 1))[:n] + "?password=@"
        return least_seconds(lambda: (secret_spans(text), secret_spans(text, whole=False)), 2)

    assert at_last(lambda: (long := seconds(1 << 17)) < 0.05 or long < 30 * max(seconds(1 << 14), 0.002))


def test_sqlalchemy_reads_the_schemes_of_these_handlers():
    reads = set()
    for name in schemes.known():
        text = f"{name}://u:1/q@h/d"
        if (text.index("h/d"), "h") in handler(name).hosts(split(text, dialect="rfc3986")):
            reads.add(name)
    assert reads == {*secret_names.SQLALCHEMY}
