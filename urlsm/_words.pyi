# docs/made.py writes this file. For type checkers only: the words of tables.
# fmt: off
# ruff: noqa: E501

from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["fatal", "error", "warning"]
Component: TypeAlias = Literal["scheme", "userinfo", "host", "port", "path", "query", "fragment", "authority", "url", "forwarded"]
HazardCode: TypeAlias = Literal["dialects-disagree", "readers-disagree", "hops-disagree", "credentials", "backslash", "control-character", "control-character-encoded", "delimiter-encoded", "dot-segment-encoded", "dot-segment-parameter", "slashes-doubled", "network-share", "script", "git-helper", "ipv4-odd-form", "ipv4-mapped-address", "loopback-address", "link-local-address", "private-address", "metadata-address", "blocked-port", "non-default-port", "misleading-host", "mapped-host", "fake-a-label", "host-too-long", "leading-hyphen", "nested-too-deeply", "unknown-scheme"]
ProfileName: TypeAlias = Literal["w3lib-2.5", "w3lib-2.2", "surt", "commoncrawl", "safebrowsing", "crawler-commons", "urlsm-1"]
SyntaxName: TypeAlias = Literal["adblock", "blocklist", "csp", "domains", "glob", "hosts", "match-pattern", "no-proxy", "origins", "redirect-uri", "robots", "surt", "uri-template", "urlpattern"]
