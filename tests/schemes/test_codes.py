"""Every name that the handlers' rows of the table have is provoked: a dead name is a missing check."""

from __future__ import annotations

import json
import pathlib

import urlsm
from urlsm.violations import TABLE

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
# beside the vectors
TEXTS = [
    ("mailto:", "rfc1738"),
    ("news:", "rfc1738"),
    *[
        (text, "rfc3986")
        for text in (
            *("imap://u;AUTH=@h/", "hdl:a..b/c", "imap://u:p@h/", "geo:1,2;u=x", "tel:1;phone-context=_", "geo:91,0"),
            *("geo:0,181", "geo:a", "redis://h/x", "mongodb://h/a$", "mongodb+srv://a.b.c,d.e.f/", "amqp://h/a/b"),
            *("jdbc:", "jdbc:x:", "s3://", "s3://A", "data:a", "data:a,", "data:;base64,?", "urn:a:b", "urn:ab:"),
            *("tel:", "sms:", "ldap:///x", "magnet:?dn=a", "magnet:?xt=x", "blob:x/y", "view-source:x", "xmpp:"),
            *("hdl:a", "imap://h/a?", "ldap:///????!", "sftp://h/a;type=x", "urn:ab:c?d"),
        )
    ],
]


def test_every_name_of_the_handlers_is_provoked():
    codes = [rule.code for rule in TABLE]
    ours = set(codes[codes.index("too-long") + 1 :])
    texts = [(vector["url"], dialect) for vector in VECTORS for dialect in ("rfc3986", "rfc1738")]
    found = {violation.code for text, dialect in texts + TEXTS for violation in urlsm.validate(text, dialect)}
    assert ours - found == set()
    assert found <= set(codes)
