"""The handlers of the schemes, a module a family. Installed as urlsm.schemes.

To write a handler, subclass Scheme (contract.py says what it may override) and give it to urlsm.register, or announce
it as an entry point of the group "urlsm.schemes". Nothing imports this folder as a top-level `schemes`: each class
would then exist twice.
"""

from __future__ import annotations

from urlsm.components.parts import Parts, decode, decode_octets, segments, server
from urlsm.components.value import Components
from urlsm.errors import SchemeError
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import (
    ALPHA,
    DIGIT,
    FRAGMENT,
    GENERIC_PATH,
    HOST,
    PCHAR,
    QUERY,
    SUB_DELIMS,
    UNRESERVED,
    USERINFO,
    Characters,
)
from urlsm.schemes.contract import HierarchicalParts, PathParts, ServerParts
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.schemes.rows import Registered

__all__ = [
    "ALPHA",
    "BUILT_IN",
    "DIGIT",
    "FRAGMENT",
    "GENERIC_PATH",
    "HOST",
    "PCHAR",
    "QUERY",
    "SUB_DELIMS",
    "UNRESERVED",
    "USERINFO",
    "Characters",
    "Components",
    "HierarchicalParts",
    "Parts",
    "PathParts",
    "Scheme",
    "SchemeError",
    "ServerParts",
    "Violation",
    "decode",
    "decode_octets",
    "known",
    "registry",
    "segments",
    "server",
]

# scheme -> "module:class"
BUILT_IN = {
    "http": "http:Http",
    "https": "http:Https",
    "shttp": "http:Shttp",
    "mms": "http:Mms",
    "ws": "ws:Ws",
    "wss": "ws:Wss",
    "coap": "coap:Coap",
    "coaps": "coap:Coaps",
    "rtsp": "rtsp:Rtsp",
    "rtsps": "rtsp:Rtsps",
    "rtspu": "rtsp:Rtspu",
    "ftp": "ftp:Ftp",
    "file": "file:File",
    "ssh": "ssh:Ssh",
    "sftp": "ssh:Sftp",
    "git": "repository:Git",
    "svn": "repository:Svn",
    "svn+ssh": "repository:SvnSsh",
    "rsync": "repository:Rsync",
    "telnet": "telnet:Telnet",
    "gopher": "gopher:Gopher",
    "wais": "wais:Wais",
    "prospero": "prospero:Prospero",
    "news": "news:News",
    "snews": "news:Snews",
    "nntp": "news:Nntp",
    "hdl": "hdl:Hdl",
    "dns": "dns:Dns",
    "mailto": "mailto:Mailto",
    "sip": "sip:Sip",
    "sips": "sip:Sips",
    "xmpp": "xmpp:Xmpp",
    "tel": "tel:Tel",
    "sms": "sms:Sms",
    "imap": "imap:Imap",
    "ldap": "ldap:Ldap",
    "ldaps": "ldap:Ldaps",
    "urn": "urn:Urn",
    "magnet": "magnet:Magnet",
    "geo": "geo:Geo",
    "data": "data:Data",
    "blob": "browser:Blob",
    "about": "browser:About",
    "javascript": "browser:Javascript",
    "view-source": "browser:ViewSource",
    "s3": "bucket:S3",
    "gs": "bucket:Gs",
    "stun": "stun:Stun",
    "stuns": "stun:Stuns",
    "turn": "stun:Turn",
    "turns": "stun:Turns",
    "redis": "redis:Redis",
    "rediss": "redis:Rediss",
    "postgresql": "postgresql:Postgresql",
    "postgres": "postgresql:Postgresql",
    "mongodb": "mongodb:Mongodb",
    "mongodb+srv": "mongodb:MongodbSrv",
    "amqp": "amqp:Amqp",
    "amqps": "amqp:Amqps",
    "jdbc": "jdbc:Jdbc",
    "acct": "names.identifiers:Acct",
    "cid": "names.identifiers:Cid",
    "mid": "names.identifiers:Mid",
    "tag": "names.identifiers:Tag",
    "pkcs11": "names.pkcs11:Pkcs11",
    "pkg": "supply.purl:Pkg",
    # a row of rows.py each
    "acap": "rows:row",
    "cap": "rows:row",
    "coap+tcp": "rows:row",
    "coaps+tcp": "rows:row",
    "coap+ws": "rows:row",
    "coaps+ws": "rows:row",
    "crid": "rows:row",
    "dav": "rows:row",
    "dict": "rows:row",
    "dtn": "rows:row",
    "example": "rows:row",
    "go": "rows:row",
    "h323": "rows:row",
    "icap": "rows:row",
    "im": "rows:row",
    "info": "rows:row",
    "ipn": "rows:row",
    "ipp": "rows:row",
    "ipps": "rows:row",
    "iris": "rows:row",
    "iris.beep": "rows:row",
    "iris.lwz": "rows:row",
    "iris.xpc": "rows:row",
    "iris.xpcs": "rows:row",
    "jabber": "rows:row",
    "leaptofrogans": "rows:row",
    "msrp": "rows:row",
    "msrps": "rows:row",
    "mtqp": "rows:row",
    "mupdate": "rows:row",
    "nfs": "rows:row",
    "opaquelocktoken": "rows:row",
    "pop": "rows:row",
    "pres": "rows:row",
    "reload": "rows:row",
    "service": "rows:row",
    "session": "rows:row",
    "sieve": "rows:row",
    "snmp": "rows:row",
    "soap.beep": "rows:row",
    "soap.beeps": "rows:row",
    "tftp": "rows:row",
    "thismessage": "rows:row",
    "tip": "rows:row",
    "tn3270": "rows:row",
    "tv": "rows:row",
    "vemmi": "rows:row",
    "vnc": "rows:row",
    "xcon": "rows:row",
    "xcon-userid": "rows:row",
    "xmlrpc.beep": "rows:row",
    "xmlrpc.beeps": "rows:row",
    "z39.50r": "rows:row",
    "z39.50s": "rows:row",
}


def known() -> dict[str, str]:
    """Every scheme that has a handler of its own, in order, and where that is from: "built in", "registered", or the
    name and version of the distribution that announces it. Reads entry points without loading them."""
    from urlsm.meaning.registry import known

    return known()


def registry() -> dict[str, Registered]:
    """Every scheme that IANA lists as permanent, in order: its status, document, default port and an example."""
    from urlsm.schemes.rows import permanent

    return permanent()
