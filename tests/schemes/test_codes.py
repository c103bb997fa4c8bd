"""Every name in the handlers' rows of the table is provoked: a dead name is a missing check."""

from __future__ import annotations

import json
import pathlib

import urlsm
from urlsm.errors.rules import RULES, TABLE
from urlsm.schemes.built_in import BUILT_IN

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
# beside the vectors
TEXTS = [
    ("mailto:", "rfc1738"),
    ("news:", "rfc1738"),
    ("http://h/\u00e9\u200e", "rfc3987"),
    ("http://h/\u05d0\u05d11", "rfc3987"),
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
            *(
                "mysql://h/d?local_infile=1",
                "mssql://h\\i:1/d?odbc_connect=x",
                "oracle://h/sid?service_name=x",
                "bigquery://p/d",
                "neo4j+x://u@h/?a=1&a=2",
                "sqlite:/a.db",
                "sqlite://h/a",
                "hf://dataset/a/b",
                "hf://a",
                "hf://a/b:c",
                "hf://a/b@",
                "hf://buckets/a/b@v",
                "hf://a/b/c//d",
                "intent:#Intent;i.a=b;endless;end",
                "s3://abc/a/../b",
                "s3://abc/\udcff",
                "abfss:///k",
                "abfss://A@b_c/k",
                "abfss://abc@h.example/k",
                "oss://a/k",
                "ipfs://qmbwqxbekc3p8tqskc98xmwnzrzdtrlmimpl8wbutgsmnr",
                "ipfs://example.com",
                "git+https://h",
                "git+https://h/a@-x#egg=a",
                "git+https://h/a@",
                "otpauth://x/?secret=1&digits=x&algorithm=a",
                "otpauth://hotp/A:b?secret=A&issuer=B&digits=9",
                "otpauth://totp/a?period=0",
                "otpauth://totp/a?secret=AA&issuer=A+B",
                "did:A:b",
                "did:a:",
                "did:web:a%3Ab",
                "ni:///sha-256",
                "ni:///sha-256;AA",
                "ni:///md9;A",
                "nih:sha-256-32;53269057;c",
                "aaa://h;transport=x",
                "acct:a",
                "tag:a,1:b",
                "pkcs11:library-version=x;type=y;pin-value=1",
                "pkcs11:?pin-source=|ls&pin-value=1",
                "pkg://npm/a",
                "pkg:3x/a",
                "pkg:npm",
                "pkg:maven/a",
                "pkg:cargo/a/b",
                "pkg:cpan/URI::X",
                "pkg:chrome-extension/dlpngalgnefjeiefhmpklpfiohadpglk@1-b",
                "pkg:julia/a",
                "pkg:npm/a?A=1&=2&b&c!=3",
                "pkg:npm/@a/b",
                "mongodb://h/?srvMaxHosts=1&proxyPort=1",
                "unix://h/a",
                "irc://h/#a",
                "ipn:x.y",
                "git+gopher://h/a#subdirectory=b@c",
            ),
            *(
                "bitcoin:?label=a",
                "bitcoin:a-b",
                "bitcoin:?bc=tb1&amount=1,5&req-x=1&pop=https:x",
                "ethereum:x?value=1.5",
                "payto://iban/x?amount=5",
                "intent:x",
                "intent:#Intent;",
                "intent:#Intent;S.browser_fallback_url=javascript:x;SEL;component=a;x.y=1;end",
                "swh:1:cnt:A",
                "nats://a,http://b",
                "swh:1:cnt:" + "a" * 40 + ";origin=file:/etc",
                "git+https://ghp_0123456789abcdefghijABCDEFGHIJ012345@h/a",
                "mqtt://h/a/+",
                "mqtt://h/%23",
                "smb://W;u:p@h",
                "jar:file:/a",
                "jar:/a!/b/%2E./c",
                "zip://../a::s3://b/k",
                "docker:a",
                "docker://A",
                "docker://a:-",
                "docker://a@sha256:" + "a" * 63,
                "docker://a:1@sha256:" + "a" * 64,
                "docker-archive::alpine",
                "oci://a",
                "oci:",
                "oci:a:-",
                "containers-storage:[]a",
                "cpe:a",
                "cpe:/x:::::~:1:2",
                "cpe:/a:%00:a%01b",
                "cpe:2.3:x::\\.",
                "matrix:user/",
                "matrix:x",
                "matrix://h/e/a?action=x&via=",
                "gitoid:blob:sha256:" + "a" * 40,
                "gitoid:a:sha1",
                "vers:npm",
                "vers:npm/1|>1|<|*|>=a=b",
                "android-app://a/b_c/d",
                "spiffe://a*b/",
                "spiffe://a/./%41",
                "doi:11.1/a",
                "spiffe://" + "a" * 256,
            ),
            *("mongodb://h/?authSource=", "hdl:a", "imap://h/a?", "ldap:///????!", "sftp://h/a;type=x", "urn:ab:c?d"),
        )
    ],
]


def test_every_name_of_the_handlers_is_provoked():
    codes = [rule.code for rule in TABLE]
    handlers = codes[codes.index("scheme-not-read") + 1 :]
    ours = {*handlers, *(code for name in BUILT_IN for code in urlsm.handler(name).rules)}
    texts = [(vector["url"], dialect) for vector in VECTORS for dialect in ("rfc3986", "rfc1738")]
    found = {violation.code for text, dialect in texts + TEXTS for violation in urlsm.validate(text, dialect=dialect)}
    assert ours - found == {"scheme-not-expected"}  # of parts, to which a scheme is given: test_asked.py
    assert found <= {*codes, *ours}


def test_what_a_handlers_own_rules_say():
    for name in BUILT_IN:
        for code, said in urlsm.handler(name).rules.items():
            assert code not in RULES and said == said.strip() and not said.endswith("."), code
