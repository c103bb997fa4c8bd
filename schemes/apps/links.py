"""android-app: a page in an Android app, addressed by the URL that search engines and referrers use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.generic import Scheme, after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["AndroidApp", "AndroidAppParts"]

_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+")
_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*")


class AndroidAppParts(Parts):
    """A page in an Android app.

    Attributes:
        package: the package name of the app, as written
        data_scheme: the scheme of the URL that is passed to the app; None if absent
        data: the rest of that URL, as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("android-app://com.example/https/example.com/a", "android-app").data
        'example.com/a'
    """

    package: str
    data_scheme: str | None = None
    data: str | None = None


class AndroidApp(Scheme[AndroidAppParts]):
    """ "android-app://" package [ "/" scheme [ "/" host path ] ]"""

    names: ClassVar[tuple[str, ...]] = ("android-app",)
    title = "Page in an Android app"
    reference = "Google, App Indexing; Android, Intent.URI_ANDROID_APP_SCHEME"
    reference_date = "2026-11-23"
    example = "android-app://com.example.app/https/example.com/recipes?id=1"
    hierarchical = False
    host_case = "keep"
    authority = host = "required"
    host_kind = "package"
    userinfo = port = "forbidden"
    rules: ClassVar[dict[str, str]] = {
        "android-package-invalid": "a package name must be two or more names separated by dots",
        "android-scheme-invalid": "an app cannot receive a URL with this scheme",
    }

    def read_parts(self, components: Components) -> AndroidAppParts:
        if components.host is None:
            raise self.refusal(components, "authority-missing", "authority", after_scheme(components))
        rest = (
            components.rest[2:] if components.fragment is None else components.rest[2 : -len(components.fragment) - 1]
        )
        package, slash, data = rest.partition("/")
        scheme, second, data = data.partition("/")
        return AndroidAppParts(package, scheme if slash else None, data if second else None)

    def host_faults(self, components: Components, host: str, start: int, end: int) -> Iterator[Violation]:
        yield from super().host_faults(components, host, start, end)
        if not _PACKAGE.fullmatch(host):
            yield self.violation("android-package-invalid", "host", start)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        scheme = (components.path or "")[1:].partition("/")[0]
        if (components.path or "") not in ("", "/") and not _SCHEME.fullmatch(scheme):
            yield self.violation("android-scheme-invalid", "path", (components.span("path") or (0, 0))[0] + 1)

    def nested(self, components: Components) -> Iterator[str]:
        """Yield the URL that is passed to the app."""
        if components.host is not None:
            found = self.read_parts(components)
            if found.data is not None and _SCHEME.fullmatch(found.data_scheme or ""):
                yield f"{found.data_scheme}://{found.data}"

    def write_parts(self, parts: Any) -> str:
        written = f"//{parts.package or ''}"
        written += "" if parts.data_scheme is None else f"/{parts.data_scheme}"
        return written if parts.data is None else f"{written}/{parts.data}"
