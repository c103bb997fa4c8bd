"""otpauth: the secret for one-time passwords (RFC 4226, RFC 6238), in the Key URI Format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.errors.secret_names import SECRETS
from urlsm.schemes.characters import PCHAR, QUERY
from urlsm.schemes.fields import Field, Parameters, read_number
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Otpauth", "OtpauthParts"]

_FIELDS = Parameters(
    Field("secret", repeat="forbid", required=True),
    Field("issuer", repeat="forbid"),
    Field("algorithm", repeat="forbid", default="SHA1"),
    Field("digits", "number", repeat="forbid", default="6"),
    Field("counter", "number", repeat="forbid"),
    Field("period", "number", repeat="forbid", default="30"),
    equals=True,
    repeat="forbid",
    names=QUERY - "&=+",
    values=QUERY - "&",
)
_BASE32 = re.compile("[A-Za-z2-7]+")
_SEPARATOR = re.compile(":|%3[Aa]")
_ALGORITHMS = ("SHA1", "SHA256", "SHA512")


class OtpauthParts(Parts):
    """A key for one-time passwords, in the form used in QR codes.

    Attributes:
        type: "totp" (time-based) or "hotp" (counter-based)
        issuer: the service, taken from the parameter "issuer" or, without this parameter, from the label; None if
            absent
        account: the user's account at the service
        secret: the key in upper-case base32; None if absent
        algorithm: the hash function, in upper case
        digits: the number of digits in a password; None if it cannot be read
        period: the number of seconds for which a password is valid; None for hotp
        counter: the initial counter value; None for totp
        label_issuer: the issuer before the ":" in the label; None if absent
        query_params: the other parameters as (name, value) pairs, decoded

    Example:
        >>> import urlsm
        >>> urlsm.parts("otpauth://totp/ACME:ann?secret=JBSWY3DPEHPK3PXP&digits=8", "otpauth").digits
        8
    """

    type: str = ""
    issuer: str | None = None
    account: str = ""
    secret: str | None = None
    algorithm: str = "SHA1"
    digits: int | None = 6
    period: int | None = None
    counter: int | None = None
    label_issuer: str | None = None
    query_params: tuple[tuple[str, str | None], ...] = ()


class Otpauth(Scheme[OtpauthParts]):
    """ "otpauth://" type "/" label "?" parameters; label = [ issuer ( ":" / "%3A" ) *"%20" ] account

    Values are encoded "according to RFC 3986", where "+" is a plus sign. The normal form writes it as %2B, which all
    apps read the same way.
    """

    names: ClassVar[tuple[str, ...]] = ("otpauth",)
    title = "Secret for one-time passwords"
    reference = "Google Authenticator, Key URI Format"
    reference_date = "2026-11-21"
    example = (
        "otpauth://totp/ACME%20Co:alice@example.com?secret=JBSWY3DPEHPK3PXP&issuer=ACME%20Co&algorithm=SHA1&digits=6"
    )
    hierarchical = False
    authority = host = "required"
    host_kind = "type"
    userinfo = port = "forbidden"
    fragment = "ignored"
    path = "required"
    secrets: ClassVar[tuple[str, ...]] = SECRETS["otpauth"]
    equal_by_parts = True
    parameters: ClassVar[Parameters] = _FIELDS
    joined: ClassVar[tuple[str, ...]] = ("//{type}/{label_issuer}:{account}",)
    rules: ClassVar[dict[str, str]] = {
        "otp-type-unknown": "the type must be totp or hotp",
        "otp-account-missing": "the label has no account",
        "otp-secret-not-base32": "the secret must be base32",
        "otp-counter-missing": "hotp needs a counter",
        "otp-algorithm-unknown": "the algorithm must be SHA1, SHA256 or SHA512",
        "otp-digits-out-of-range": "digits must be 6, 7 or 8",
        "otp-period-out-of-range": "the period must be a positive number of seconds",
        "otp-plus": "some apps read this plus sign as a space",
        "otp-issuer-mismatch": "the label and the parameter name different issuers",
    }

    def read_parts(self, components: Components) -> OtpauthParts:
        kind = server(components)[2] or ""
        label_issuer, account = _label(components.path or "")
        (secret, issuer, algorithm, digits, counter, period), others = _FIELDS.known_of(components.query)
        return OtpauthParts(
            kind,
            label_issuer if issuer is None else issuer,
            account,
            None if secret is None else secret.rstrip("=").upper(),
            "SHA1" if algorithm == "SHA1" else (algorithm or "SHA1").upper(),
            6 if digits == "6" else read_number(digits or ""),
            None if kind != "totp" else 30 if period == "30" else read_number(period or ""),
            read_number(counter or "") if kind == "hotp" else None,
            label_issuer,
            others,
        )

    def host_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().host_violations(components)
        if components.host and lower(decode(components.host)) not in ("totp", "hotp"):
            yield self.violation("otp-type-unknown", "host", (components.span("host") or (0, 0))[0])

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        if components.path and not _label(components.path)[1]:
            yield self.violation("otp-account-missing", "path", (components.span("path") or (0, 0))[1])

    def query_violations(self, components: Components) -> Iterator[Violation]:
        where = components.span("query")
        hotp = lower(components.host or "") == "hotp"
        if where is None or where[0] == where[1]:
            end = (components.span("path") or (0, 0))[1]
            yield self.violation("parameter-missing", "query", end, message="the parameter secret is missing")
            return
        yield from self.faults(components, "query", *where, self.query_characters)
        label = _label(components.path or "")[0]
        names = set()

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            key = _FIELDS.key(name)
            names.add(key)
            code = None if value is None else _fault(key, value, hotp)
            at += len(name) + 1
            if code is not None:
                yield self.violation(code, "query", at)
            elif key == "issuer" and label is not None and decode(value or "") != label:
                yield self.violation("otp-issuer-mismatch", "query", at, "warning")
            if value is not None and "+" in value:
                yield self.violation("otp-plus", "query", at + value.index("+"), "warning")

        yield from _FIELDS.violations(self, components, "query", *where, further)
        if hotp and "counter" not in names:
            yield self.violation("otp-counter-missing", "query", where[1])

    def normalize(self, components: Components) -> Components:
        """Normalise the URL. The secret is written in upper case without padding, and parameters with their default
        value are omitted."""
        normal = super().normalize(components)
        if not normal.query or any(v.severity == "error" for v in self.query_violations(normal)):
            return normal
        kept = []
        for _, name, value in _FIELDS.within(normal.query):
            key = _FIELDS.key(name)
            if key == "secret":
                value = decode(value or "").rstrip("=").upper()
            elif key == "algorithm":
                value = decode(value or "").upper()
            if value is None or value != _default(key):
                kept.append(name if value is None else f"{name}={value}")
        return normal.replace(query=_written("&".join(kept)))

    def build(self, *, scheme: str | None = None, fragment: str | None = None, **parts: Any) -> str:
        """Return the URL with these parts; see Scheme.build. If label_issuer is not given, the issuer is used."""
        parts.setdefault("label_issuer", parts.get("issuer") or None)
        return super().build(scheme=scheme, fragment=fragment, **parts)

    def write_parts(self, parts: Any) -> str:
        label = parts.label_issuer
        account = PCHAR - ":"
        path = "/" + ("" if label is None else account.encode(label) + ":") + account.encode(parts.account or "")
        own = {name: getattr(parts, name) for name in _FIELDS.known}
        # an issuer is "strongly recommended" both in the label and as a parameter
        own["issuer"] = label if own["issuer"] is None else own["issuer"]
        pairs = [
            (name, str(value)) for name, value in own.items() if value is not None and str(value) != _default(name)
        ]
        query = _written(_FIELDS.write([*pairs, *(parts.query_params or ())]))
        return f"//{parts.type or ''}{path}" + (f"?{query}" if query else "")


def _default(name: str) -> str | None:
    return _FIELDS.known[name].default if name in _FIELDS.known else None


def _written(query: str) -> str:
    return query.replace("+", "%2B")


def _label(path: str) -> tuple[str | None, str]:
    """Return the issuer and the account of a label, decoded. The first ":" separates them, or the first "%3A" if there
    is no ":". If there is neither, the whole label is the account, and the issuer is None."""
    text = path[1:] if path.startswith("/") else path
    issuer, colon, account = text.partition(":")
    if not colon:
        issuer, colon, account = decode(text).partition(":")
        return (issuer, account.lstrip(" ")) if colon else (None, issuer)
    return decode(issuer), decode(account).lstrip(" ")


def _fault(key: str, value: str, hotp: bool) -> str | None:
    text = decode(value)
    if key == "secret" and not _BASE32.fullmatch(text.rstrip("=")):
        return "otp-secret-not-base32"
    if key == "algorithm" and text.upper() not in _ALGORITHMS:
        return "otp-algorithm-unknown"
    if key == "digits" and text.isascii() and text.isdigit() and text not in ("6", "7", "8"):
        return "otp-digits-out-of-range"
    if key == "period" and text.isascii() and text.isdigit() and not text.strip("0"):
        return "otp-period-out-of-range"
    return None
