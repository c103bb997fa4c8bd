"""The syntax "hosts": lists of names to block, in the formats of hosts files, dnsmasq and unbound.

See hosts(5), dnsmasq(8) (--address), and unbound.conf(5) (local-zone).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import BOTH, EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["SYNTAX", "is_own_name", "sinks"]

_COMMENT = re.compile(r"(?:^|\s)#.*")
_DNSMASQ = re.compile(r"(address|server|local)\s*=\s*/(.*)/([^/]*)\Z")
_UNBOUND = re.compile(r"local-(zone|data):\s*(?:\"([^\"]*)\"|'([^']*)'|(\S+))\s*(\S*)\s*\Z", re.IGNORECASE)
_RECORD = re.compile(r"(\S+)(?:\s+\d+)?(?:\s+IN)?\s+(?:A|AAAA)\s+(\S+)\s*\Z", re.IGNORECASE)
_BLOCKING = frozenset((  # types of zones for which unbound answers with an error, with nothing, or with its own data
    *("deny", "refuse", "static", "redirect", "inform_deny", "always_refuse", "always_nxdomain", "always_nodata"),
    *("always_deny", "always_null"),
))  # fmt: skip
_OWN_NAMES = frozenset(("0.0.0.0", "broadcasthost", "local", "localhost", "localhost.localdomain"))
ABOUT = {  # for urlsm.about
    "hosts files": {
        "tables": "_BLOCKING _OWN_NAMES",
        "source": "unbound.conf(5), local-zone; hosts(5), dnsmasq(8)",
        "url": "https://unbound.docs.nlnetlabs.nl/en/latest/manpages/unbound.conf.html",
        "date": "2026-11-26",
        "used_by": "PatternSet(..., 'hosts')",
    },
}


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules for a line. "0.0.0.0 name name" or "name" blocks only these names. dnsmasq's "address=/name/" and
    unbound's "local-zone: name static" block the name and all its subdomains.

    A name for the machine itself ("127.0.0.1 localhost"), or a name with the address of a real server, has no rule.
    PatternError: the line has none of these forms.
    """
    line = _COMMENT.sub("", pattern).strip()
    if "/" in line:
        yield from _of_dnsmasq(line, pattern)
    elif ":" in line and line[:5].lower() in ("local", "serve"):
        yield from _of_unbound(line, pattern)
    elif line:
        yield from _of_a_hosts_file(line, pattern)


def _of_a_hosts_file(line: str, pattern: str) -> Iterator[Rule]:
    first, *names = line.split()
    if not names:
        names = [first]
    elif not _is_address(first):
        raise PatternError("not-a-hosts-line", "write an address before the names", pattern)
    elif not sinks(first):
        return
    for name in names:
        if not is_own_name(name.lower()):
            yield Rule(host=(EXACT, _key(name, pattern)))


def _of_dnsmasq(line: str, pattern: str) -> Iterator[Rule]:
    found = _DNSMASQ.match(line)
    if found is None:
        raise PatternError(
            "not-a-hosts-line", "a line that contains a slash must have dnsmasq's form address=/name/", pattern
        )
    kind, names, target = found.groups()
    if target not in ("", "#") and not (kind == "address" and sinks(target)):
        return  # dnsmasq answers with the address of a real server, or asks another name server
    for name in names.split("/"):
        yield Rule() if name == "#" else _with_all_below(name, pattern)


def _of_unbound(line: str, pattern: str) -> Iterator[Rule]:
    if line.lower() == "server:":
        return
    found = _UNBOUND.match(line)
    if found is None:
        raise PatternError(
            "not-a-hosts-line", 'a line for unbound must have the form local-zone: "name" static', pattern
        )
    text = found[2] or found[3] or found[4] or ""
    if found[1].lower() == "zone":
        if found[5].lower() in _BLOCKING:
            yield _with_all_below(text, pattern)
        return
    record = _RECORD.match(text)
    if record is not None and sinks(record[2]):
        yield Rule(host=(EXACT, _key(record[1], pattern)))


def _with_all_below(name: str, pattern: str) -> Rule:
    key = _key(name, pattern)
    return Rule(host=(EXACT if key[0] < 8 else BOTH, key))


def _key(name: str, pattern: str) -> bytes:
    try:
        if name.startswith(("*.", ".", "||")):
            raise PatternError(
                "not-a-host",
                f"{name!r} is not a plain host name: for patterns, use the syntax domains or adblock",
                pattern,
            )
        return host_key(name, pattern)
    except PatternError as error:  # find the position only after an error: a line may have many names
        raise PatternError(error.code, error.message, pattern, pattern.find(name)) from None


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address("0.0.0.0" if text == "0" else text)
    except ValueError:
        return False
    return True


def sinks(text: str) -> bool:
    """Return whether a string is an address that does not lead to another machine: unspecified, loopback, multicast or
    broadcast."""
    if not _is_address(text):
        return False
    address = ipaddress.ip_address("0.0.0.0" if text == "0" else text)
    return address.is_unspecified or address.is_loopback or address.is_multicast or text == "255.255.255.255"


def is_own_name(name: str) -> bool:
    """Return whether hosts files usually contain this name for the machine itself, or for a group of machines."""
    return name in _OWN_NAMES or name.startswith("ip6-")


SYNTAX = Syntax("hosts", rules=rules, blocks=True, names=("0.0.0.0 ", "", Rule(host=(EXACT, b""))))
