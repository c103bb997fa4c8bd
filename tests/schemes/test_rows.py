"""The schemes that are rows of a table, IANA's registry, and unknown schemes."""

from __future__ import annotations

import csv
import io
import pathlib
import sys

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm import schemes
from urlsm.schemes.rows import ROWS, row

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
PERMANENT = """
aaa aaas about acap acct cap cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid data dav dict dns dtn example file
ftp geo go gopher h323 http https iax icap im imap info ipn ipp ipps iris iris.beep iris.lwz iris.xpc iris.xpcs jabber
ldap leaptofrogans mailto mid msrp msrps mtqp mupdate news nfs ni nih nntp opaquelocktoken pkcs11 pop pres reload rtsp
rtsps rtspu service session shttp sieve sip sips sms snmp soap.beep soap.beeps stun stuns tag tel telnet tftp
thismessage tip tn3270 turn turns tv urn vemmi vnc ws wss xcon xcon-userid xmlrpc.beep xmlrpc.beeps xmpp z39.50r z39.50s
"""


@pytest.mark.parametrize("name", ROWS)
def test_the_example_of_a_row_is_valid_and_in_normal_form(name):
    found = row(name)
    assert found.names == (name,) and found.title and found.reference
    check_normal_form(found.example, found.example)
    assert noted(found.example) == []
    assert urlsm.parts(found.example)


def test_the_registry_has_every_permanent_scheme():
    found = schemes.iana_registry()
    assert [*found] == PERMANENT.split() and len(found) == 97
    assert found["ipp"] == ("permanent", "RFC 3510 section 4", 631, "ipp://example.com/printer/tiger/job123")
    assert found.keys() <= schemes.known().keys()


def test_the_tool_says_what_iana_has_changed():
    differences = pytest.importorskip("iana_schemes", reason="tools/ is not installed").differences
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(("URI Scheme", "Status", "Reference"))
    for name, found in schemes.iana_registry().items():
        if name != "gopher":
            document = found.document.partition(" section")[0].replace(" ", "")
            rows.writerow((name, "Permanent", "[RFC1]" if name == "dict" else f"[{document}]"))
    rows.writerow(("gopher (OBSOLETE)", "Historical", "[RFC4266]"))
    rows.writerow(("new", "Permanent", "[RFC9999]"))
    assert differences(text.getvalue()) == [
        "dict: RFC 2229 here, [RFC1] there",
        "gopher: no longer permanent",
        "new: new, [RFC9999]",
    ]


def test_a_row_of_prose_is_not_a_url():
    """For names that are words, only texts that look like URLs are found."""
    assert [*urlsm.documents.extract_urls("info:foo, service:x, session:z, go:on, tv:off and cap:on")] == []
    assert [match.text for match in urlsm.documents.extract_urls("im:a@b.c dtn://a/b")] == ["im:a@b.c", "dtn://a/b"]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("unknown://QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR/a", None),
        ("unknown://Cont/a/./b", None),
        ("unknown://a/b@main/x/../y", None),
        ("UNKNOWN://Host:080/%7e%2f", "unknown://Host:80/~%2F"),
        ("unknown:a/../B", None),
        ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),  # RFC 3986 section 6.2.2
        ("unknown://[::A]/", "unknown://[::a]/"),  # an address is known
    ],
)
def test_an_unknown_scheme_is_not_harmed(text, normal):
    check_normal_form(text, normal or text)


def test_the_host_of_an_unknown_scheme_is_as_written():
    assert urlsm.parts("unknown://U:p@QmB%41:1/a").host == "QmBA"
    assert urlsm.parts("unknown://[::A]/").host == "::a"
    assert urlsm.parts("unknown:///a").host == "" and urlsm.parts("unknown:/a").host is None


# --- Hadoop's file systems ---

HADOOP = [name for name, entry in ROWS.items() if "store" in entry[3].split()]


@pytest.mark.parametrize("scheme", HADOOP)
@pytest.mark.parametrize("path", ["/a#b", "/a?b", "/a?b#c?d#e", "/#", "/a#", "/x#y/../z", "/a%23b", "/a"])
def test_a_path_of_hadoop_runs_to_the_end(scheme, path):
    text = f"{scheme}://ns{path}"
    assert noted(text) == []
    parts = urlsm.parts(text)
    assert (parts.host, parts.path) == ("ns", path) and "/".join(parts.segments) == path[1:].replace("%23", "#")
    handler = urlsm.handler(scheme)
    assert handler.build(**parts) == text and urlsm.normalize(text) == text
    assert urlsm.parts(handler.build(host="ns", segments=parts.segments)).segments == parts.segments
    assert urlsm.parse(f"{scheme}://ns/a#b").parts.path == "/a#b"
    assert not urlsm.equivalent(f"{scheme}://ns/a#b", f"{scheme}://ns/a")
    with pytest.raises(ValueError, match="path"):
        handler.build(host="ns", path="/a", fragment="b")


def test_the_file_systems_of_hadoop():
    assert {"hdfs", "webhdfs", "swebhdfs", "viewfs", "o3fs", "ofs", "alluxio"} == {*HADOOP}
    assert noted("hdfs://ns#b") == [("fragment-not-allowed", 9)] and noted("hdfs://ns?b") == [("query-not-allowed", 9)]
    assert noted("hdfs://ns/a#b c") == [("character-not-allowed", 13)]
