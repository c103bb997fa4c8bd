"""Tables of violations and of query parameters in notebooks."""

from __future__ import annotations

import pickle

import pytest

import urlsm


@pytest.mark.parametrize(
    ("text", "dialect"), [("http://a<b/ c", "whatwg"), ("http://a<b/ c", "rfc3986"), ("mailto:a@b c", "rfc3986")]
)
def test_violations_are_a_table(text, dialect):
    found = urlsm.validate(text, dialect=dialect)
    html = found._repr_html_()
    assert html.count("<tr>") == len(found) + 1 and html.startswith("<table><tr><th>severity</th><th>code</th>")
    assert found[0].code in html and "<b" not in html.replace("<table", "")
    assert type(found[0]) is urlsm.Violation and list(found) == found == pickle.loads(pickle.dumps(found))


def test_violations_of_a_url_are_a_table():
    assert "character-not-allowed" in urlsm.parse("http://h/a|b").violations()._repr_html_()


def test_parameters_are_a_table_without_secrets():
    params = urlsm.parse("http://h/?api_key=hunter2&a=<b>&c=%1b[0m&next=http://me:hunter2@h/").query_params
    html = params._repr_html_()
    assert "hunter2" not in html and "<td>api_key</td><td>***</td>" in html
    assert "<td>&lt;b&gt;</td>" in html and "\x1b" not in html and html.count("<tr>") == 5


def test_a_table_has_at_most_a_hundred_rows():
    html = urlsm.QueryParams([("a", str(k)) for k in range(1234)])._repr_html_()
    assert html.count("<tr>") == 101 and html.endswith("<p>and 1,134 more</p>")
