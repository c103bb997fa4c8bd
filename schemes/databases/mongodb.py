"""mongodb (the connection string specification) and mongodb+srv (initial DNS seedlist discovery)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST
from urlsm.schemes.fields import Parameters, with_lower_name
from urlsm.schemes.hostlist import HostList, entries, is_socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from urlsm._words import Severity

__all__ = ["Mongodb", "MongodbSrv"]

# slash, backslash, space, double-quote or dollar sign in a database name, "once it has been decoded"
_PROHIBITED = re.compile(r'[/\\ "$]|%(?:2[024Ff]|5[Cc])')

# The options of the URI options specification, by what their values are: integers, each with its least and greatest
# value ("all integer options are 32-bit"), truth values, one of some words, pairs of name:value, and texts. Names are
# in lower case.
_MOST = 2**31 - 1
_COUNTS = """
connecttimeoutms localthresholdms maxadaptiveretries maxidletimems maxpoolsize minpoolsize serverselectiontimeoutms
sockettimeoutms srvmaxhosts timeoutms waitqueuetimeoutms wtimeoutms
"""
_NUMBERS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(_COUNTS.split(), (0, _MOST)),
    "heartbeatfrequencyms": (500, _MOST),
    "maxconnecting": (1, _MOST),
    "maxstalenessseconds": (-1, _MOST),
    "proxyport": (1, 0xFFFF),
    "zlibcompressionlevel": (-1, 9),
}
_TRUTHS = """
directconnection enableoverloadretargeting journal loadbalanced retryreads retrywrites serverselectiontryonce ssl tls
tlsallowinvalidcertificates tlsallowinvalidhostnames tlsdisablecertificaterevocationcheck tlsdisableocspendpointcheck
tlsinsecure
"""
_WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_TRUTHS.split(), ("true", "false")),
    "readpreference": ("primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"),
    "servermonitoringmode": ("auto", "poll", "stream"),
}
_PAIRS = ("authmechanismproperties", "readpreferencetags")
_TEXTS = """
appname authmechanism authsource compressors proxyhost proxypassword proxyusername readconcernlevel replicaset
srvallowedhostssuffix srvservicename tlscafile tlscertificatekeyfile tlscertificatekeyfilepassword tlscrlfile
uuidrepresentation w
"""
_OPTIONS = frozenset((*_NUMBERS, *_WORDS, *_PAIRS, *_TEXTS.split()))
ABOUT = {  # for urlsm.about
    "options of MongoDB": {
        "tables": "_OPTIONS",
        "source": "MongoDB, URI options specification",
        "url": "https://github.com/mongodb/specifications/blob/master/source/uri-options/uri-options.md",
        "date": "2026-11-26",
        "licence": "CC-BY-NC-SA-3.0 (names only)",
        "used_by": "handler of mongodb",
    },
}
_INTEGER = re.compile("-?[0-9]{1,10}")
_ESCAPED = re.compile("%[89A-Fa-f][0-9A-Fa-f]")  # an octet of a character beyond ASCII
_OF_SRV = ("srvmaxhosts", "srvservicename", "srvallowedhostssuffix")

_SYNONYMS = {"ssl": "tls", "tls": "ssl"}
_CHECKS = {"tlsdisableocspendpointcheck", "tlsdisablecertificaterevocationcheck"}
# at most one option of each of these sets may be given
_EXCLUSIVE = (
    *({"tlsinsecure", implied} for implied in ("tlsallowinvalidcertificates", "tlsallowinvalidhostnames", *_CHECKS)),
    {"tlsallowinvalidcertificates", *_CHECKS},
    _CHECKS,
)


def _is_value(option: str, value: str) -> bool:
    """Return whether a driver accepts this value of an option. A driver that does not accept the value warns and
    ignores the option."""
    if option in _NUMBERS:
        least, most = _NUMBERS[option]
        return _INTEGER.fullmatch(value) is not None and least <= int(value) <= most
    if option in _WORDS:
        return value in _WORDS[option]
    if option in _PAIRS:  # "dc:ny,rack:1"; empty tags match any server
        return all(":" in pair for pair in value.split(",")) if value else option == "readpreferencetags"
    return option != "w" or not value.startswith("-")


class Mongodb(HostList):
    names: ClassVar[tuple[str, ...]] = ("mongodb",)
    title = "MongoDB connection"
    reference = "the MongoDB connection string specification"
    example = "mongodb://user:secret@host1:27018,host2/db?replicaSet=rs&w=majority"
    default_port: ClassVar[int | None] = 27017
    host = "required"
    parameters: ClassVar[Parameters] = Parameters(fold=True, equals=True)  # "character case should be ignored"
    userinfo_characters = HOST  # not ":", because for "more than one colon" an exception MUST be thrown
    rules: ClassVar[dict[str, str]] = {
        "mongodb-database-invalid": 'a database name cannot contain "/", "\\", space, quotation mark or "$"',
        "mongodb-options-contradict": "this option conflicts with another option or with the hosts",
        "mongodb-auth-source-empty": "authSource must not be empty",
        "mongodb-option-of-srv": "only mongodb+srv allows this option",
        "mongodb-proxy-incomplete": "a proxy needs a host, and a user name needs a password",
    }

    def userinfo_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().userinfo_violations(components)
        where = components.span("userinfo")
        if where is not None and not components.username:  # "a username [...] must be specified" before an "@"
            yield self.violation("username-missing", "userinfo", where[0])

    def host_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the hosts. Only a socket path may contain escapes, and it has no port. RFC 3986
        forbids hosts in UTF-8 ("The host information [...] UTF-8") and blanks in a socket path, but drivers accept
        them, so they are warnings."""
        blanks = {
            start + blank.start()
            for start, host, _ in entries(components)
            if " " in host and is_socket(decode(host))
            for blank in re.finditer(" ", host)
        }
        for found in super().host_violations(components):
            wrong = components.text[found.position : found.position + 1]
            taken = found.position in blanks or (wrong > "\x7f" and not "\ud800" <= wrong <= "\udfff")
            if found.code == "host-invalid" and taken:
                found = found._replace(severity="warning")
            yield found
        for start, host, port in entries(components):
            socket = is_socket(decode(host))
            if "%" in host and not socket:  # an error, unless only characters beyond ASCII are escaped, as build does
                severity: Severity = "warning" if _ESCAPED.sub("", host).find("%") < 0 else "error"
                yield self.violation("host-invalid", "host", start + host.index("%"), severity)
            if socket and port is not None:
                yield self.violation("port-not-allowed", "port", start + len(host))

    has_seeds = True  # whether the hosts are servers; for mongodb+srv the host is a name whose DNS records list them

    def has_several_hosts(self, components: Components) -> bool:
        return len(list(entries(components))) > 1

    def number_violations(self, components: Components, start: int, end: int) -> Iterator[Violation]:
        yield from super().number_violations(components, start, end)
        if start == end:
            yield self.violation("port-empty", "port", start)
        elif not components.text[start:end].strip("0"):  # the port is 0
            yield self.violation("port-out-of-range", "port", start, message="a port must be from 1 to 65535")

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        for prohibited in _PROHIBITED.finditer(components.text, start + 1, end):
            yield self.violation("mongodb-database-invalid", "path", prohibited.start())

    def query_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the query. Each option contains one "=", and options must not conflict with each
        other (URI Options specification, "Conflicting TLS options" and the sections after it). Drivers ignore unknown
        options and invalid values, so these are warnings."""
        yield from super().query_violations(components)
        given: dict[str, tuple[int, str]] = {}  # for each option: where it begins, and its value; the last one counts
        for start, name, value in self.parameters.of_query(components):
            option, said = lower(decode(name)), decode(value or "")
            if "=" in (value or ""):
                place = start + len(name) + len("=") + (value or "").index("=")
                yield self.violation("character-not-allowed", "query", place)
            elif name and option not in _OPTIONS:
                yield self.violation("parameter-unknown", "query", start, "warning")
            elif value is not None and not _is_value(option, said):
                yield self.violation("parameter-value-invalid", "query", start + len(name) + 1, "warning")
            if option == "authsource" and value == "":  # the authentication specification's tests want an error
                yield self.violation("mongodb-auth-source-empty", "query", start + len(name))
            if name and option in given and option != "readpreferencetags":
                weight: Severity = "error" if option.startswith("proxy") else "warning"
                yield self.violation("parameter-duplicate", "query", start, weight)
            if option in _SYNONYMS and any(given.get(one, (0, said))[1] != said for one in _SYNONYMS):
                yield self.violation("mongodb-options-contradict", "query", start)
            given.pop(option, None)
            given[option] = start, said
        yield from self.option_violations(components, given)

    def option_violations(self, components: Components, given: dict[str, tuple[int, str]]) -> Iterator[Violation]:
        """Yield the violations for options that conflict with each other. given: the position and the value of each
        option."""
        values = {option: said for option, (_, said) in given.items()}
        several = self.has_several_hosts(components)
        balanced = values.get("loadbalanced") == "true"
        limited = _is_value("srvmaxhosts", values.get("srvmaxhosts", "")) and int(values["srvmaxhosts"]) > 0
        against = {
            "directconnection": values.get("directconnection") == "true"
            and (several or balanced or not self.has_seeds),
            "loadbalanced": balanced and (several or "replicaset" in values),
            "srvmaxhosts": limited and (balanced or "replicaset" in values),
        }
        seen: set[str] = set()
        for option, (start, _) in given.items():
            if against.get(option) or any(option in one and (one - {option}) & seen for one in _EXCLUSIVE):
                yield self.violation("mongodb-options-contradict", "query", start)
            if option in _OF_SRV and self.has_seeds:
                yield self.violation("mongodb-option-of-srv", "query", start)
            if option.startswith("proxy") and (
                "proxyhost" not in values or ("proxyusername" in values) != ("proxypassword" in values)
            ):
                yield self.violation("mongodb-proxy-incomplete", "query", start)
            seen.add(option)

    def normalize(self, components: Components) -> Components:
        """Return the normal form, with each host in normal form and the names of options in lower case."""
        normal = super().normalize(components)
        if normal.query is None:
            return normal
        return normal.replace(query="&".join(map(with_lower_name, normal.query.split("&"))))


class MongodbSrv(Mongodb):
    names: ClassVar[tuple[str, ...]] = ("mongodb+srv",)
    title = "MongoDB connection through an SRV record"
    reference = "the MongoDB initial DNS seedlist discovery specification"
    example = "mongodb+srv://user:secret@cluster.example.org/db?authSource=admin"
    default_port: ClassVar[int | None] = None
    port = "forbidden"
    rules: ClassVar[dict[str, str]] = {
        "mongodb-srv-multiple-hosts": "mongodb+srv allows only one host",
    }

    has_seeds = False

    def host_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().host_violations(components)
        where, userinfo = components.span("authority") or (0, 0), components.span("userinfo")
        comma = components.text.find(",", where[0] if userinfo is None else userinfo[1], where[1])
        if comma >= 0:
            yield self.violation("mongodb-srv-multiple-hosts", "host", comma)
