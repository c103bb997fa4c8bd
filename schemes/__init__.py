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
}


def known() -> dict[str, str]:
    """Every scheme that has a handler of its own, in order, and where that is from: "built in", "registered", or the
    name and version of the distribution that announces it. Reads entry points without loading them."""
    from urlsm.meaning.registry import known

    return known()
