"""Schemes that need only traits, so each is a row in a table instead of a class. Also, IANA's permanent schemes.

The names are from IANA's registry (https://www.iana.org/assignments/uri-schemes) as of REGISTRY_DATE; the statuses are
as of 2022-11-18. tools/iana_schemes.py compares both with a newer copy. Each port is from the document that defines the
scheme, or from IANA's registry of services.
"""

from __future__ import annotations

import re

from urlsm.octets.records import NamedTuple
from urlsm.schemes.files.hadoop import Hadoop
from urlsm.schemes.generic import Scheme, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["PERMANENT", "REGISTRY_DATE", "ROWS", "Registered", "permanent", "row"]

REGISTRY_DATE = "2026-09-11"

# the first word of a row's shape, and the traits that it stands for
_SERVER: dict[str, Any] = {"authority": "required", "host": "required"}
_SHAPES: dict[str, dict[str, Any]] = {
    "generic": {"in_text": "absolute"},  # RFC 3986's generic syntax, with or without an authority
    "server": _SERVER,
    "anonymous": {**_SERVER, "userinfo": "forbidden"},
    "guarded": {**_SERVER, "password": "forbidden"},  # the URL may have a user, but no password
    "login": {**_SERVER, "password": "allowed"},
    # in_text is "absolute", because "info:" also begins prose
    "opaque": {"authority": "forbidden", "hierarchical": False, "in_text": "absolute"},
    # a file system of Hadoop, where "?" and "#" belong to the path; without a path, query and fragment are forbidden
    "store": {
        **{"authority": "required", "password": "allowed", "hierarchical": False},
        **{"query": "forbidden", "fragment": "forbidden"},
    },
    "proxy": {**_SERVER, "password": "allowed", "path": "root", "query": "forbidden", "fragment": "forbidden"},
    "lookup": {"hierarchical": False, "in_text": "absolute"},  # "." and ".." in the path are names
}

# the other words of a row's shape, and the traits that they stand for
_TRAITS: dict[str, dict[str, Any]] = {
    "flat": {"hierarchical": False},
    "mailbox": {"in_text": "mailbox"},
    "hostless": {"host": "optional"},
    "keep": {"host_case": "keep"},
    "line": {"forbidden_escapes": "\r\n"},  # each line of the protocol is a command
    "path": {"path": "required"},
    "pathless": {"path": "root"},
    "portless": {"port": "forbidden"},
    "queryless": {"query": "forbidden"},
    "root": {"empty_path_is_root": True},
}

# what must follow certain opaque schemes in running text; the pattern of "iris" is also that of "iris.beep" and so on
_IN_TEXT = {
    # the names of RFC 4918 section 15, and similar ones
    "dav": "(?:creationdate|displayname|resourcetype|(?:get|lock|supported)[a-z]{4,32})(?![A-Za-z0-9])",
    "info": r"[a-z][a-z-]{2,31}/(?=[A-Za-z0-9%._:/()-]{0,64}[0-9])[A-Za-z0-9%]",  # "info:and/or" is prose
    "iris": r"[A-Za-z][A-Za-z0-9-]{1,31}/[a-z]{0,16}/[A-Za-z0-9%_\[]",
    "leaptofrogans": r"[A-Za-z0-9%.-]{1,64}\*[A-Za-z0-9%]",
    "opaquelocktoken": "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}",
    "tv": r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[a-z]{2,24}(?![A-Za-z0-9-])",
    "service": r"(?:[A-Za-z][A-Za-z0-9.-]{1,63}:){1,2}/[A-Za-z0-9]{0,31}/",
}

# scheme | document, section | default port | shape | example | title
_TABLE = """
acap | RFC 2244 6.3 | 674 | guarded line | acap://joe@acap.example.org/addressbook/~/ | Application configuration
cap | RFC 4324 6.2 | 1026 | generic line | cap://cal.example.com/Company/Holidays | Calendar access
crid | RFC 4078 | - | anonymous portless path | crid://example.com/foobar | Content reference of TV-Anytime
dav | RFC 4918 21.2 | - | opaque | dav:displayname | WebDAV's own property names
dict | RFC 2229 5 | 2628 | guarded flat line | dict://dict.example.org/d:word:db:1 | Dictionary server
dtn | RFC 9171 4.2.5.1.1 | - | lookup keep | dtn://node/service | Endpoint of the bundle protocol
example | RFC 7595 8 | - | generic | example://a/b/c/%7Bfoo%7D | For examples in documents
go | RFC 3368 | - | lookup | go://example.org/common%20name?language=en | Common name
h323 | RFC 3508 | - | opaque mailbox | h323:user@example.com;x-version=1 | H.323 user or endpoint
icap | RFC 3507 4.2 | 1344 | anonymous root line | icap://icap.example.net:2000/services/one | Adaptation of content
im | RFC 3860 3 | - | opaque mailbox | im:fred@example.com | Instant inbox
info | RFC 4452 3 | - | opaque | info:lccn/2002022641 | Name from a public namespace
ipp | RFC 3510 4 | 631 | anonymous | ipp://example.com/printer/tiger/job123 | Printer
ipps | RFC 7472 4 | 631 | anonymous | ipps://example.com/ipp/print/bob | Printer over TLS
iris | RFC 3981 7 | - | opaque | iris:dreg1//example.com/local/myhosts | Internet registry information
iris.beep | RFC 3983 | 702 | opaque | iris.beep:dreg1//example.com/domain/example.com | IRIS over BEEP
iris.lwz | RFC 4993 | 715 | opaque | iris.lwz:dchk1//example.com/domain/example.com | IRIS over UDP
iris.xpc | RFC 4992 | 713 | opaque | iris.xpc:dreg1//example.com/domain/example.com | IRIS over TCP
iris.xpcs | RFC 4992 | 714 | opaque | iris.xpcs:dreg1//example.com/domain/example.com | IRIS over TLS
jabber | IANA, jabber | - | opaque mailbox | jabber:romeo@example.net | XMPP entity, before xmpp
leaptofrogans | RFC 8589 3 | - | opaque queryless | leaptofrogans:example*site | Frogans site
msrp | RFC 4975 6 | 2855 | guarded flat queryless line | msrp://host.example.com:8493/asfd34;tcp | Session of messages
msrps | RFC 4975 6 | 2855 | guarded flat queryless line | msrps://host.example.com:8493/asfd34;tcp | Messages over TLS
mtqp | RFC 3887 8 | 1038 | anonymous flat path line | mtqp://mail.example.com/track/id/secret | Tracking of messages
mupdate | RFC 3656 5 | 3905 | guarded flat line | mupdate://mail.example.org/mailbox | Mailbox update
nfs | RFC 2224 | 2049 | anonymous | nfs://server.example.org/exports/a/b | Network file system
opaquelocktoken | RFC 4918 appendix C | - | opaque | opaquelocktoken:f81d4fae-7dec-11d0-a765-00a0c91e6bf6 | WebDAV lock
pop | RFC 2384 | 110 | guarded pathless queryless line | pop://rg;AUTH=+APOP@mail.example.com:8110 | POP3 mailbox
pres | RFC 3859 3 | - | opaque mailbox | pres:fred@example.com | Presence of a person
reload | RFC 6940 14.15 | 6084 | generic queryless | reload://0102030405060708@overlay.example/ | Overlay of peers
service | RFC 2609 2.1 | - | opaque | service:printer:lpr://igore.example.org/draft | Service location
session | RFC 6787 13.6 | - | opaque mailbox queryless | session:help@root-level.store | Session of media control
sieve | RFC 5804 3 | 4190 | login queryless line | sieve://user@example.com/script | Sieve script on its server
snmp | RFC 4088 2 | 161 | guarded hostless flat queryless | snmp://tester5@example.com:8161/bridge1;800002b8 | SNMP
soap.beep | RFC 4227 5.1.1 | 605 | anonymous | soap.beep://example.com/StockQuote | SOAP over BEEP
soap.beeps | RFC 4227 5.1.2 | 605 | anonymous | soap.beeps://example.com/StockQuote | SOAP over BEEP and TLS
tftp | RFC 3617 3 | 69 | anonymous queryless | tftp://example.com/configuration;mode=netascii | Trivial file transfer
thismessage | RFC 2557 5 | - | generic | thismessage:/part.html | Base of relative URLs in a message
tip | RFC 2371 7 | 3372 | anonymous line | tip://192.0.2.1/?urn:xopen:xid | Transaction of the internet protocol
tn3270 | RFC 6270 | 23 | login pathless queryless line | tn3270://user@host.example/ | Terminal of an IBM mainframe
tv | RFC 2838 2.1 | - | opaque queryless | tv:wqed.com | Broadcast of television
vemmi | RFC 2122 | 575 | anonymous queryless | vemmi://zeus.mctel.fr/demo | Multimedia terminal
vnc | RFC 7869 2.1 | 5900 | login pathless hostless | vnc://vnc.example.com:5901/?VncUsername=jane | Remote screen
xcon | RFC 6501 8.2 | - | opaque mailbox queryless | xcon:conf223@example.com | Centralized conference
xcon-userid | RFC 6501 8.3 | - | opaque mailbox queryless | xcon-userid:xmlns%3Auser@example.com | User of a conference
xmlrpc.beep | RFC 3529 5.1 | 602 | anonymous | xmlrpc.beep://example.com/NumberToName | XML-RPC over BEEP
xmlrpc.beeps | RFC 3529 5.2 | 602 | anonymous | xmlrpc.beeps://example.com/NumberToName | XML-RPC over BEEP and TLS
z39.50r | RFC 2056 | 210 | anonymous flat | z39.50r://melvyl.example.edu/cat?elecworld.v30.n19 | Retrieval by Z39.50
z39.50s | RFC 2056 | 210 | anonymous flat | z39.50s://melvyl.example.edu/cat | Session of Z39.50
afp | IANA, afp | 548 | login queryless | afp://user@files.example.org/share/a | Apple file share
chrome-extension | Chrome docs | - | anonymous portless | chrome-extension://nmmhkkegccagdldgiimedpiccmgmieda/a | Add-on
dbfs | Databricks, DBFS paths | - | opaque queryless | dbfs:/Volumes/main/default/data/a.csv | File of Databricks
grpc | Apache Arrow, Flight RPC | - | anonymous | grpc://flight.example.org:8815 | Service of gRPC
itms | Apple, store links | - | anonymous portless | itms://apps.apple.com/app/id333903271 | Apple's store
itms-apps | Apple, store links | - | anonymous portless | itms-apps://apps.apple.com/app/id333903271 | App Store
itms-appss | Apple, store links | - | anonymous portless | itms-appss://apps.apple.com/app/id333903271 | App Store, TLS
market | Android, linking to Google Play | - | anonymous portless | market://details?id=com.example.app | Google Play
moz-extension | MDN docs | - | anonymous portless | moz-extension://ee6e8f2e-5ef2-4d8a-a0d8-3e5f4b7a9c10/a | Add-on
msteams | Microsoft Teams, deep links | - | anonymous portless | msteams://teams.microsoft.com/l/a/b | Microsoft Teams
obsidian | Obsidian, URI | - | anonymous portless | obsidian://open?vault=notes&file=a | Note of Obsidian
slack | Slack, deep linking | - | anonymous portless | slack://channel?team=T0123ABCD&id=C0123ABCD | Place in Slack
steam | Valve, Steam browser protocol | - | anonymous portless | steam://run/440 | Steam
tg | Telegram, deep links | - | anonymous portless | tg://resolve?domain=example | Place in Telegram
vscode | Visual Studio Code, URLs | - | anonymous portless | vscode://file/home/a/b.py:10:5 | Visual Studio Code
vscode-insiders | Visual Studio Code, URLs | - | anonymous portless | vscode-insiders://file/home/a/b.py | Insiders
whatsapp | WhatsApp, deep links | - | anonymous portless | whatsapp://send?phone=15551234567 | WhatsApp
zoommtg | Zoom, client URL schemes | - | anonymous portless | zoommtg://zoom.us/join?confno=123456789 | Meeting of Zoom
alluxio | Alluxio, URIs | 19998 | store | alluxio://master.example.org:19999/data/a.csv | File of Alluxio
finger | draft-ietf-uri-url-finger | 79 | guarded flat queryless line | finger://host.example.org/user | Who a user is
gemini | Gemini network protocol | 1965 | anonymous root line | gemini://capsule.example.org/a.gmi?query | Gemini page
hdfs | Hadoop, FileSystem shell | 8020 | store | hdfs://nameservice1/user/a/part-0.parquet | File of HDFS
o3fs | Apache Ozone, URIs | - | store | o3fs://bucket.volume.om.example.org/key | File of Ozone, by bucket
ofs | Apache Ozone, URIs | 9862 | store | ofs://om.example.org/volume/bucket/key | File of Ozone
socks4 | curl, proxy URLs | 1080 | proxy | socks4://proxy.example.org:1081 | SOCKS 4 proxy
socks4a | curl, proxy URLs | 1080 | proxy | socks4a://proxy.example.org | SOCKS 4a proxy, which resolves names
socks5 | curl, proxy URLs | 1080 | proxy | socks5://user:secret@proxy.example.org | SOCKS 5 proxy
socks5h | curl, proxy URLs | 1080 | proxy | socks5h://proxy.example.org | SOCKS 5 proxy, by name
spartan | Spartan protocol | 300 | anonymous root line | spartan://host.example.org/a?query | Spartan page
swebhdfs | Hadoop, WebHDFS | 9871 | store | swebhdfs://namenode.example.org/user/a | File of HDFS by HTTPS
tcp | Docker, daemon sockets; zmq_tcp(7) | - | login flat | tcp://build.example.org:2376 | Server by TCP
titan | Titan protocol | 1965 | anonymous flat line | titan://capsule.example.org/a;size=10 | Upload to Gemini
viewfs | Hadoop, ViewFs | - | store | viewfs://cluster/user/a | File of a mount table
webhdfs | Hadoop, WebHDFS | 9870 | store | webhdfs://namenode.example.org/user/a | File of HDFS by HTTP
"""
ROWS: dict[str, list[str]] = {entry[0]: entry for line in _TABLE.strip().split("\n") if (entry := line.split(" | "))}


def row(name: str) -> Scheme[Any]:
    """Return the handler for a scheme in the table."""
    _, reference, port, words, example, title = ROWS[name]
    shape, *others = words.split()
    traits = {
        "names": (name,),
        "title": title,
        "reference": re.sub(r"(?<=[0-9]) (?=[0-9A-Z])", " section ", reference),
        "default_port": None if port == "-" else int(port),
        "example": example,
        **_SHAPES[shape],
    }
    for word in others:
        traits |= _TRAITS[word]
    form = _IN_TEXT.get(name.partition(".")[0])
    if form is not None:
        traits["in_text"] = form
    base = Hadoop if shape == "store" else Unknown if "keep" in others else Scheme
    found: Scheme[Any] = type("Row", (base,), traits)()
    return found


class Registered(NamedTuple):
    """A scheme in IANA's registry.

    Attributes:
        status: "permanent".
        document: the document that defines the scheme.
        port: the default port; None if there is none.
        example: a valid URL.

    Example:
        >>> from urlsm.schemes import iana_registry
        >>> iana_registry()["coap"].port
        5683
    """

    status: str
    document: str
    port: int | None
    example: str


Registered.__module__ = "urlsm.schemes"


_PERMANENT = """
aaa aaas about acap acct cap cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid data dav dict dns dtn example file
ftp geo go gopher h323 http https iax icap im imap info ipn ipp ipps iris iris.beep iris.lwz iris.xpc iris.xpcs jabber
ldap leaptofrogans mailto mid msrp msrps mtqp mupdate news nfs ni nih nntp opaquelocktoken pkcs11 pop pres reload rtsp
rtsps rtspu service session shttp sieve sip sips sms snmp soap.beep soap.beeps stun stuns tag tel telnet tftp
thismessage tip tn3270 turn turns tv urn vemmi vnc ws wss xcon xcon-userid xmlrpc.beep xmlrpc.beeps xmpp z39.50r z39.50s
"""


PERMANENT = frozenset(_PERMANENT.split())
ABOUT = {  # for urlsm.about
    "IANA's permanent schemes": {
        "tables": "PERMANENT",
        "source": "IANA, Uniform Resource Identifier (URI) Schemes",
        "url": "https://www.iana.org/assignments/uri-schemes/",
        "date": REGISTRY_DATE,
        "licence": "CC0-1.0",
        "used_by": "iana_registry",
    },
    "schemes by traits": {
        "tables": "ROWS",
        "source": "the document that each row names",
        "date": REGISTRY_DATE,
        "used_by": "handler, validate, normalize, parts",
    },
}


def permanent() -> dict[str, Registered]:
    """Return every scheme that IANA lists as permanent, sorted."""
    from urlsm.meaning.registry import built_in

    return {
        name: Registered("permanent", found.reference, found.default_port, found.example)
        for name in _PERMANENT.split()
        if (found := built_in(name)) is not None
    }
