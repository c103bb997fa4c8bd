"""Scheme handlers: the classes of their parts, and everything you need to write a handler for your own scheme.

To write a handler, subclass Scheme (contract.py says what you may override). Pass it to urlsm.register, or declare it
as an entry point in the group "urlsm.schemes". Never import this folder as a top-level `schemes`: each class would then
exist twice.
"""

from __future__ import annotations

from urlsm.octets.later import later as _later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.schemes.rows import Registered

# the module of each public name; a module is loaded when one of its names is first used
_NAMES = {
    "urlsm.components.parts": ("Parts", "decode", "decode_bytes", "segments", "server"),
    "urlsm.schemes.apps.intent": ("IntentParts",),
    "urlsm.schemes.apps.links": ("AndroidAppParts",),
    "urlsm.schemes.apps.otpauth": ("OtpauthParts",),
    "urlsm.schemes.characters": (
        "ALPHA",
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
    ),
    "urlsm.schemes.contract": ("HierarchicalParts", "PathParts", "ServerParts"),
    "urlsm.schemes.databases.database": ("Cluster", "ClusterParts", "Database", "DatabaseParts"),
    "urlsm.schemes.databases.files": ("FileDatabaseParts",),
    "urlsm.schemes.databases.jdbc": ("JdbcParts",),
    "urlsm.schemes.databases.postgresql": ("DrivenParts",),
    "urlsm.schemes.databases.redis": ("RedisParts",),
    "urlsm.schemes.databases.servers": ("BigqueryParts", "MssqlParts", "OracleParts", "SnowflakeParts", "TrinoParts"),
    "urlsm.schemes.fields": ("Field", "Parameters"),
    "urlsm.schemes.files.archive": ("ArchiveParts",),
    "urlsm.schemes.files.file": ("FileParts",),
    "urlsm.schemes.files.ftp": ("FtpParts",),
    "urlsm.schemes.files.smb": ("SmbParts",),
    "urlsm.schemes.files.ssh": ("SftpParts", "SshParts"),
    "urlsm.schemes.generic": ("Scheme",),
    "urlsm.schemes.hostlist": ("HostListParts", "HostPort"),
    "urlsm.schemes.mail.imap": ("ImapParts",),
    "urlsm.schemes.mail.mailto": ("MailtoParts",),
    "urlsm.schemes.mail.news": ("NewsParts", "NntpParts"),
    "urlsm.schemes.messaging.amqp": ("AmqpParts",),
    "urlsm.schemes.messaging.irc": ("IrcParts",),
    "urlsm.schemes.messaging.kafka": ("KafkaParts",),
    "urlsm.schemes.messaging.matrix": ("MatrixParts",),
    "urlsm.schemes.messaging.mqtt": ("MqttParts",),
    "urlsm.schemes.messaging.nats": ("NatsParts",),
    "urlsm.schemes.messaging.xmpp": ("XmppParts",),
    "urlsm.schemes.money.payments": ("BitcoinParts", "EthereumParts", "LightningParts", "PaytoParts"),
    "urlsm.schemes.names.cpe": ("CpeParts",),
    "urlsm.schemes.names.did": ("DidParts",),
    "urlsm.schemes.names.digest": ("NiParts", "NihParts"),
    "urlsm.schemes.names.geo": ("GeoParts",),
    "urlsm.schemes.names.hdl": ("HdlParts",),
    "urlsm.schemes.names.identifiers": ("AcctParts", "CidParts", "MidParts", "TagParts"),
    "urlsm.schemes.names.magnet": ("MagnetParts",),
    "urlsm.schemes.names.name": ("Name", "Section"),
    "urlsm.schemes.names.persistent": ("DoiParts", "GitoidParts", "SpiffeParts", "SwhParts"),
    "urlsm.schemes.names.pkcs11": ("Pkcs11Parts",),
    "urlsm.schemes.names.urn": ("UrnParts",),
    "urlsm.schemes.network.coap": ("CoapParts",),
    "urlsm.schemes.network.diameter": ("AaaParts", "IaxParts"),
    "urlsm.schemes.network.dns": ("DnsParts",),
    "urlsm.schemes.network.gopher": ("GopherParts",),
    "urlsm.schemes.network.ldap": ("LdapParts",),
    "urlsm.schemes.network.prospero": ("ProsperoParts",),
    "urlsm.schemes.network.unix": ("RedisSocketParts", "UnixParts"),
    "urlsm.schemes.network.wais": ("WaisParts",),
    "urlsm.schemes.rows": ("Registered",),
    "urlsm.schemes.stores.azure": ("AzureParts",),
    "urlsm.schemes.stores.bucket": ("Bucket", "BucketParts", "GsParts"),
    "urlsm.schemes.stores.hf": ("HfParts",),
    "urlsm.schemes.stores.ipfs": ("IpfsParts", "IpnsParts"),
    "urlsm.schemes.stores.store": ("StoreParts",),
    "urlsm.schemes.supply.containers": ("ImageArchiveParts", "ImageParts", "ImageStoreParts", "OciParts"),
    "urlsm.schemes.supply.purl": ("PkgParts",),
    "urlsm.schemes.supply.repository": ("GitParts", "RsyncParts"),
    "urlsm.schemes.supply.vcs": ("VcsParts",),
    "urlsm.schemes.supply.vers": ("VersParts",),
    "urlsm.schemes.telephony.sip": ("SipParts",),
    "urlsm.schemes.telephony.sms": ("SmsParts",),
    "urlsm.schemes.telephony.stun": ("StunParts", "TurnParts"),
    "urlsm.schemes.telephony.tel": ("TelParts",),
    "urlsm.schemes.tiers": ("Tier",),
    "urlsm.schemes.web.browser": ("AboutParts", "BlobParts", "JavascriptParts", "ViewSourceParts"),
    "urlsm.schemes.web.data": ("DataParts", "Fetched"),
    "urlsm.schemes.web.ws": ("WsParts",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = ["iana_registry", "known", *_HOMES]


def known() -> dict[str, str]:
    """Return every scheme that has its own handler, sorted, with the origin of the handler.

    Plug-ins are listed, not imported.

    Returns:
        for each scheme, "built in", "registered", or the name and version of the distribution that contains the
        plug-in.

    Example:
        >>> from urlsm.schemes import known
        >>> known()["mailto"]
        'built in'
    """
    from urlsm.meaning.registry import known

    return known()


def iana_registry() -> dict[str, Registered]:
    """Return every scheme that IANA lists as permanent, sorted, with its document, its default port and an example.

    Example:
        >>> from urlsm.schemes import iana_registry
        >>> iana_registry()["ipp"].port
        631
    """
    from urlsm.schemes.rows import permanent

    return permanent()


__getattr__, _ = _later(globals(), _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
