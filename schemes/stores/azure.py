"""abfs, abfss, wasb and wasbs, Hadoop's schemes for Azure Storage; az and adl."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.generic import after_scheme
from urlsm.schemes.stores.store import PLACE, Store, escaped, unescaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm.url.value import URL

__all__ = ["Abfs", "Adl", "Az", "AzureParts"]

_FABRIC = ".fabric.microsoft.com"
_CONTAINER = re.compile(r"(?:[a-z0-9](?:-?[a-z0-9]){2,62}|\$root|\$web|\$logs)")
_ACCOUNT = re.compile(r"[a-z0-9]{3,24}(?:-secondary)?")  # "-secondary" is for a read-only replica
_WRONG_HOST = re.compile(r"[^A-Za-z0-9.-]")
_ENDPOINT = re.compile(
    r"(?:dfs|blob)\.(?:core\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)|fabric\.microsoft\.com)"
    r"|z[0-9]+\.(?:dfs|blob)\.storage\.azure\.net"
)


class AzureParts(Parts):
    """A file in Azure Storage.

    Attributes:
        container: the container or file system, as written; "" if absent
        account: the storage account, taken from the first label of the host, in lower case; None if the URL leaves it
            to the configuration
        endpoint: the rest of the host, such as "dfs.core.windows.net"; None if the URL leaves it to the configuration
        key: the path of the file in the container, as written

    Example:
        >>> import urlsm
        >>> urlsm.parts("abfss://data@acme.dfs.core.windows.net/raw/a b.csv", "abfss").key
        'raw/a b.csv'
    """

    container: str = ""
    account: str | None = None
    endpoint: str | None = None
    key: str = ""


class Abfs(Store[AzureParts]):
    """scheme "://" container [ "@" account "." endpoint ] [ "/" key ], where the container is not user information,
    although "@" follows it. Or, in DuckDB, scheme "://" account "." endpoint "/" container [ "/" key ]. The two forms
    can be distinguished because container names cannot contain a dot."""

    names: ClassVar[tuple[str, ...]] = ("abfss", "abfs", "wasbs", "wasb")
    title = "Azure Storage object"
    reference = "Hadoop, hadoop-azure; Azure, naming containers"
    reference_date = "2026-11-21"
    example = "abfss://data@myaccount.dfs.core.windows.net/raw/2026/a.parquet"
    host_kind = "container and account"
    joined: ClassVar[tuple[str, ...]] = ("{container}@{account}.{endpoint}",)
    in_userinfo: ClassVar[tuple[str, ...]] = ("container",)
    endpoint: ClassVar[re.Pattern[str]] = _ENDPOINT
    rules: ClassVar[dict[str, str]] = {
        "azure-container-missing": "the container is missing",
        "azure-container-invalid": "the container name is not valid",
        "azure-account-missing": "the URL names no account, so the configuration must name it",
        "azure-account-invalid": "the host must begin with an account name",
        "azure-endpoint-unknown": "the host is not an Azure Storage endpoint",
    }

    def place(self, components: Components) -> tuple[str, str | None, str]:
        """Return (container, host of the account, key), as written."""
        if components.host is None:
            raise self.refusal(components, "authority-missing", "authority", after_scheme(components))
        authority, _, key = components.rest[2:].partition("/")
        container, at, host = authority.rpartition("@")
        if at:
            return container, host, key
        if self.endpoint.fullmatch(lower(authority).partition(".")[2]):
            container, _, key = key.partition("/")
            return container, authority, key
        return authority, None, key

    def read_parts(self, components: Components) -> AzureParts:
        container, host, key = self.place(components)
        account, _, endpoint = (host or "").partition(".")
        return AzureParts(container, lower(account) or None, lower(endpoint) or None, key)

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        start = after_scheme(components)
        if components.host is None:
            yield self.violation("authority-missing", "authority", start)
            return
        start += len("//")
        container, host, key = self.place(components)
        authority = components.rest[2:].partition("/")[0]
        account_at = start + len(authority) - len(host or "")
        if host == authority:  # the authority is just the host, and the container follows it
            start = min(start + len(authority) + 1, len(components.text))
        if container and lower(host or "").endswith(_FABRIC):  # at this host, the container is the name of a workspace
            yield from self.faults(components, "host", start, start + len(container), PCHAR)
        else:
            yield from self.container_violations(container, start)
        if host is None:
            yield from self.of_no_account(account_at)
        else:
            yield from self.of_account(host, account_at)
        yield from self.key_violations(components, len(components.text) - len(key))

    def container_violations(self, container: str, at: int) -> Iterator[Violation]:
        if not container:
            yield self.violation("azure-container-missing", "host", at)
        elif not _CONTAINER.fullmatch(container):
            yield self.violation("azure-container-invalid", "host", at)

    def of_no_account(self, at: int) -> Iterator[Violation]:
        yield self.violation("azure-account-missing", "host", at, "warning")

    def of_account(self, host: str, at: int) -> Iterator[Violation]:
        wrong = _WRONG_HOST.search(host)
        account, dot, endpoint = host.partition(".")
        named = not lower(endpoint).endswith("windows.net") or _ACCOUNT.fullmatch(lower(account))
        if wrong is not None or not account or host.endswith(".") or not named:
            yield self.violation("azure-account-invalid", "host", at + (wrong.start() if wrong else 0))
        elif not dot or not self.endpoint.fullmatch(lower(endpoint)):
            yield self.violation("azure-endpoint-unknown", "host", at, "warning")

    def normalize(self, components: Components) -> Components:
        """Lowercase the scheme and the account host. The container and the key do not change, and they keep their
        place."""
        if components.scheme is None or components.host is None:
            return components if components.scheme is None else components.replace(scheme=lower(components.scheme))
        authority, _, path = components.rest[2:].partition("/")
        if self.place(components)[1] is not None:
            container, at, host = authority.rpartition("@")
            authority = f"{container}{at}{lower(host)}"
        return split(f"{lower(components.scheme)}://{authority}/{path}", dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether a and b name the same object, in either form."""
        return self.same_parts(self.normalize(a), self.normalize(b))

    def write_parts(self, parts: Any) -> str:
        account = [name for name in (parts.account, parts.endpoint) if name]
        return f"//{parts.container or ''}{'@' if account else ''}{'.'.join(account)}/{parts.key or ''}"

    def web_url(self, parts: Any) -> str | None:
        if not parts.account or not parts.endpoint:
            return None
        host, path = f"{parts.account}.{parts.endpoint}", escaped(parts.key, parts.container or None)
        return None if path is None or _WRONG_HOST.search(host) else f"https://{host}/{path}"

    def of_web(self, url: URL) -> AzureParts | None:
        """Return the parts of account.blob.core.windows.net/container/key; None for any other URL. The container is
        $root if a blob URL names no container before the key."""
        account, _, endpoint = (url.host or "").rstrip(".").partition(".")
        if not account or not self.endpoint.fullmatch(endpoint):
            return None
        first, slash, rest = url.path[1:].partition("/")
        container, key = unescaped(first), unescaped(rest)
        if not slash and "blob." in endpoint and "/" not in container and not _CONTAINER.fullmatch(container):
            container, key = "$root" if container else "", container
        return AzureParts(container, account, endpoint, key) if PLACE.fullmatch(container) else None


class Az(Abfs):
    """az://container/key. The account comes from the configuration."""

    names: ClassVar[tuple[str, ...]] = ("az",)
    title = "Azure Storage object in a configured account"
    reference = "adlfs; obstore"
    example = "az://data/raw/2026/a.parquet"

    def of_no_account(self, at: int) -> Iterator[Violation]:
        return iter(())


class Adl(Abfs):
    """adl://account.azuredatalakestore.net/path. Azure has retired this service."""

    names: ClassVar[tuple[str, ...]] = ("adl",)
    title = "Azure Data Lake Storage, first generation"
    reference = "Hadoop, hadoop-azure-datalake"
    example = "adl://myaccount.azuredatalakestore.net/raw/a.csv"
    endpoint: ClassVar[re.Pattern[str]] = re.compile(r"azuredatalakestore\.net")

    def place(self, components: Components) -> tuple[str, str | None, str]:
        if components.host is None:
            raise self.refusal(components, "authority-missing", "authority", after_scheme(components))
        host, _, key = components.rest[2:].partition("/")
        return "", host, key

    def container_violations(self, container: str, at: int) -> Iterator[Violation]:
        return iter(())

    def of_web(self, url: URL) -> AzureParts | None:
        return None

    def write_parts(self, parts: Any) -> str:
        return super().write_parts(parts).replace("@", "", 1)
