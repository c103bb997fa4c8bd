"""No place that shows a URL shows a password: one table of texts, each in every place."""

from __future__ import annotations

import pytest

import urlsm
from urlsm.cli.app import main
from urlsm.errors.excerpt import with_caret
from urlsm.errors.masking import cut, masked_part, masked_userinfo, secret_spans, without_secrets
from urlsm.machine.driver import DIALECTS

TEXTS = (
    "http://user:S3CRET@host/",
    "http://user:S3CRET@host/a@b",
    "//user:S3CRET@host/",
    "HTTP:\\\\user:S3CRET@host\\",
    "http:/user:S3CRET@host/",
    "\t ht\ntp://user:S3C\tRET@host/",
    "http://us\u00e9r:\u00e9S3CRET@h\u00f6st/",
    "http://user:S3CRET@one:S3CRET@two/",
    "sip:user:S3CRET@host",
    "SIPS:user:S3CRET@host;transport=tcp",
    "http://host/?next=http://user:S3CRET@other/",
    "blob:http://user:S3CRET@host/x",
    "http://host/?password=S3CRET&a=b",
    "jdbc:db2://host/db:user=u;PASSWORD=S3CRET;",
    "http://user:S3CRET@host:port/",  # refused from here on
    "http://user:S3/CRET@[host",
)


def shown_in_errors(text):
    yield with_caret(text, 0)
    yield with_caret(text.encode(), len(text.encode()))
    try:
        url = urlsm.parse(text)
    except urlsm.ParseError as error:
        yield str(error)
        yield repr(error)
    else:
        yield repr(url)
    for dialect in DIALECTS:
        try:
            urlsm.split(text, dialect=dialect)
        except urlsm.ParseError as error:
            yield str(error)


def shown_in_traces(text):
    for dialect in DIALECTS:
        for given in (text, text.encode()):
            yield str(urlsm.explain(given, dialect=dialect))
            yield repr(urlsm.explain(given, dialect=dialect))


def shown_in_comparisons(text):
    found = urlsm.security.compare_readers(text)
    yield repr(found)
    yield str(found.differences.get("userinfo"))


def shown_in_parts(text):
    url = urlsm.try_parse(text)
    if url is not None:
        try:
            yield repr(url.parts)
        except urlsm.SchemeError as error:
            yield str(error) + repr(error)


PLACES = (shown_in_errors, shown_in_traces, shown_in_comparisons, shown_in_parts)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
@pytest.mark.parametrize("text", TEXTS)
def test_no_place_shows_a_password(text, place):
    for shown in place(text):
        assert "CRET" not in shown.replace("S3C\\tRET", "CRET"), shown


@pytest.mark.parametrize("arguments", [("parse", "--explain"), ("audit",), ("compare",), ("validate",)])
def test_no_table_of_the_command_line_shows_a_password(arguments, capsys):
    texts = [text for text in TEXTS if "\n" not in text]
    main([*arguments, "--table", "--", *texts])
    out, err = capsys.readouterr()
    assert "***" in out and "CRET" not in out + err


def test_repr_masks_what_only_another_dialect_sees():
    assert repr(urlsm.parse("foo:///user:S3CRET@host/x")) == "URL('foo:///user:***@host/x')"


@pytest.mark.parametrize("text", ["", "http://host/", "http://user@host/", "http://host/a:b@c", "http://u:@h/", "a:b"])
def test_a_text_without_a_password_is_shown_as_it_is(text):
    assert without_secrets(text) == text and secret_spans(text) == []


def test_what_is_cut_out_of_a_text_holds_no_piece_of_a_password():
    text = "http://u:S3CRET@h/"
    spans = secret_spans(text)
    assert spans == [(9, 15)]
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            inside = max(0, min(end, 15) - max(start, 9))
            expected = text[start : min(end, 9)] + ("***" if inside else "") + text[max(start, 15) : end]
            assert cut(text, spans, start, end) == expected


def test_the_names_of_secrets_count_in_any_case():
    assert without_secrets("a://h/?Token=x&b=c", {"token"}) == "a://h/?Token=***&b=c"
    assert masked_part("TOKEN", "x", {"token"}) == "***"
    assert masked_part("pairs", (("token", "x"), ("b", "c")), {"token"}) == (("token", "***"), ("b", "c"))
    assert [masked_userinfo(text) for text in (None, "", "u", "u:", "u:p:q")] == [None, "", "u", "u:***", "u:***"]


def test_masking_takes_linear_time():
    for piece in ("//u:p@h", "//a:", "?password=", "a@b:", "\t:@", "password", "\u00e9:@/"):
        assert "***" in without_secrets("http://u:S3CRET@h/" + piece * 20_000, refused=True)
