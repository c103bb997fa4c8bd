"""Every name that the handlers' rows of the table have is provoked: a dead name is a missing check."""

from __future__ import annotations

import json
import pathlib

import urlsm
from urlsm.errors.rules import RULES, TABLE
from urlsm.schemes import BUILT_IN

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
# beside the vectors
TEXTS = [
    ("mailto:", "rfc1738"),
    ("news:", "rfc1738"),
    *[
        (text, "rfc3986")
        for text in (
            *("imap://u;AUTH=@h/", "hdl:a..b/c", "imap://u:p@h/", "geo:1,2;u=x", "tel:1;phone-context=_", "geo:91,0"),
            *(
                "geo:0,181",
                "geo:a",
                "redis://h/x",
                "mongodb://h/a$",
                "mongodb+srv://a.b.c,d.e.f/",
                "mongodb://h/?tls=0&ssl=1",
                "amqp://h/a/b",
            ),
            *("jdbc:", "jdbc:x:", "s3://", "s3://A", "data:a", "data:a,", "data:;base64,?", "urn:a:b", "urn:ab:"),
            *("tel:", "sms:", "ldap:///x", "magnet:?dn=a", "magnet:?xt=x", "blob:x/y", "view-source:x", "xmpp:"),
            *("hdl:a", "imap://h/a?", "ldap:///????!", "sftp://h/a;type=x", "urn:ab:c?d"),
        )
    ],
]


def test_every_name_of_the_handlers_is_provoked():
    codes = [rule.code for rule in TABLE]
    handlers = codes[codes.index("scheme-not-read") + 1 :]
    ours = {*handlers, *(code for name in BUILT_IN for code in urlsm.handler(name).rules)}
    texts = [(vector["url"], dialect) for vector in VECTORS for dialect in ("rfc3986", "rfc1738")]
    found = {violation.code for text, dialect in texts + TEXTS for violation in urlsm.validate(text, dialect)}
    assert ours - found == set()
    assert found <= {*codes, *ours}


def test_what_a_handlers_own_rules_say():
    for name in BUILT_IN:
        for code, said in urlsm.handler(name).rules.items():
            assert code not in RULES and said == said.strip() and not said.endswith("."), code
