"""Shows the views of a comparison with secrets masked.

What one reader takes for a host, a port or a path may be a password for another. So the fields of a view are not enough
to find all secrets: those that are found in the whole URL are masked wherever a reader sees them.
"""

from __future__ import annotations

import re

from urlsm.components.parts import decode
from urlsm.errors.masking import SHOWN, cut, masked_part, masked_userinfo, secret_spans, without_secrets
from urlsm.url.masked import spans_in
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlsm.security.comparison import ReaderComparison, Reading, View

    Shown = int | str | tuple[str, str] | None

__all__ = ["odd_fields", "secrets_of", "shown", "shown_view"]

_MOST = 64  # of a URL with more pieces of secrets, nothing is shown
_LONGEST = 4096  # in characters; of a URL with longer secrets, nothing is shown
_REMOVED = re.compile("[\t\n\r]")  # the URL Standard's parser removes these characters
_DELIMITERS = re.compile(r"[\s/\\?#@:&=;\[\]]+")
_ADDRESS = re.compile(
    r"[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%.*)?", re.DOTALL
)  # IPv6, as some programs give it without brackets
_PORT = re.compile("[0-9]{0,5}")


def secrets_of(text: str) -> re.Pattern[str] | None:
    """Return a pattern for the pieces of the secrets in a URL: between delimiters, as written, with their escapes
    decoded, and without characters that parsers remove. Return None if there are no secrets."""
    spans = spans_in(text, try_parse(text))
    if not spans:
        return None
    pieces: set[str] = set()
    if sum(end - start for start, end in spans) <= _LONGEST:
        for start, end in spans:
            secret = text[start:end]
            for form in (secret, _REMOVED.sub("", secret), decode(secret)):
                pieces.update(_DELIMITERS.split(form))
        known = cut(text, spans).lower()  # a piece that the masked URL shows is no secret
        pieces = {piece for piece in pieces if piece and not _whole(re.escape(piece.lower())).search(known)}
        if not pieces:
            return None
    if 0 < len(pieces) <= _MOST:
        return _whole("|".join([re.escape(piece) for piece in sorted(pieces, key=len, reverse=True)]))
    return re.compile(".+", re.DOTALL)


def _whole(pattern: str) -> re.Pattern[str]:
    """Return a pattern that does not match within a word. A word may begin after an escape."""
    return re.compile(rf"(?:(?<![^\W_])|(?<=%[0-9A-F]{{2}}))(?:{pattern})(?![^\W_])", re.IGNORECASE)


def shown(view: View | Reading, name: str, secrets: re.Pattern[str] | None = None) -> Shown:
    """Return a field of a view with secrets masked. secrets: the result of `secrets_of` for the URL."""
    value = _shown(view, name)
    if secrets is None or name in ("refusal", "reader", "version", "dialect"):
        return value
    if isinstance(value, tuple):
        return secrets.sub(SHOWN, value[0]), value[1]
    return secrets.sub(SHOWN, value) if isinstance(value, str) else value


def shown_view(view: View | Reading, secrets: re.Pattern[str] | None) -> Mapping[str, Shown]:
    """Return the fields of a view with secrets masked."""
    return {name: shown(view, name, secrets) for name in dict(view)}


def odd_fields(found: ReaderComparison) -> dict[str, frozenset[str]]:
    """Return the fields in which each reader differs from the first that accepts the URL and gives this field."""
    first: dict[str, object] = {}
    for view in found.views.values():
        if view.refusal is None:
            for name, value in dict(view).items():
                if name != "connects" or value is not None:
                    first.setdefault(name, value)
    odd = {}
    differing = found.differences
    for reader, view in found.views.items():
        values = {} if view.refusal is not None else dict(view)
        others = [name for name in values if name in differing and values[name] != first.get(name, values[name])]
        odd[reader] = frozenset([name for name in others if name != "connects" or values[name] is not None])
    return odd


def _shown(view: View | Reading, name: str) -> Shown:
    """Return a field of a view, with the secrets masked that its fields tell."""
    value: Shown = view[name]
    if name == "userinfo":
        return masked_userinfo(value if isinstance(value, str) else None, view["scheme"])
    if name == "connects" and isinstance(value, tuple):
        return _host(value[0]), value[1] if _PORT.fullmatch(value[1]) else SHOWN
    if not isinstance(value, str):
        return value
    if name == "host":
        return _host(value)
    if name == "port":  # "!" and a message, which quotes the port
        return value if _PORT.fullmatch(value) else "!" if value[0] == "!" else SHOWN
    if name not in ("path", "query", "fragment"):
        return value
    host = view["host"] or ""
    # for example "//user:pass/word@host", "//user;auth:password@host" (by Barth's draft, the host ends at ";") or
    # "/\t/user:password@host"
    has_user = not _is_port(view["port"]) or _has_password(host) or host.isspace()
    if (has_user or (name == "path" and host and value[:1] not in ("/", "\\"))) and "@" in value:
        return SHOWN + value[value.rindex("@") :]
    if name != "path":
        return without_secrets(value) if value[:1] in ("?", "#") else without_secrets(f"?{value}")[1:]
    if "@" in value and host and view["scheme"]:  # other dialects read a password in "https://user/password@host"
        begin = f"{view['scheme']}://" + (f"[{host}]" if _ADDRESS.fullmatch(host) else host)
        value = cut(begin + value, secret_spans(begin + value), len(begin))
    masked: str = masked_part("", without_secrets(value, refused=not host))
    return masked


def _is_port(port: int | str | None) -> bool:
    return not isinstance(port, str) or _PORT.fullmatch(port) is not None


def _has_password(host: str) -> bool:
    """Return whether a host has a ":" that may follow a user name."""
    return ":" in host and host[0] != "[" and not _ADDRESS.fullmatch(host)


def _host(host: str) -> str:
    if "@" not in host and _has_password(host):
        return f"{host.partition(':')[0]}:{SHOWN}"
    masked: str = without_secrets(f"//{host}", refused=True)[2:]
    return masked
