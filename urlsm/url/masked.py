"""A URL's text without its password, as its repr shows it."""

from urlsm.errors.masking import without_passwords
from urlsm.url.value import URL


def has_password_in_path(url: URL) -> bool:
    """Does an opaque path hold a user and a password, as its scheme's handler says? Yes, if the handler cannot be
    asked."""
    path = url.path
    if path.startswith("/") or ":" not in path or "@" not in path:
        return False
    from urlsm.errors import PluginError

    try:
        return url.handler.password_in_path
    except PluginError:
        return True


def hidden(url: URL, text: str, secrets: frozenset[str] = frozenset()) -> str:
    """text, which is url's in one form or another, with "***" for each password, and for parameters of these names."""
    if has_password_in_path(url):
        scheme, _, rest = text.partition(":")
        return f"{scheme}:{without_passwords(rest, refused=True, secrets=secrets)}"
    return without_passwords(text, secrets=secrets)


def masked(url: URL) -> str:
    """The text with "***" for the password."""
    return hidden(url, url.href)
