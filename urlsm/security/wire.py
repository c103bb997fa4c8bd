"""What HTTP clients send for a URL: the request target and the Host field, as their sources make them."""

from __future__ import annotations

from urlsm.octets.records import NamedTuple
from urlsm.readers.programs import HOMES, asked, number, program
from urlsm.security.comparison import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["SentRequest", "sent"]


class SentRequest(NamedTuple):
    """What a client sends for a URL: the result of `sent`.

    Attributes:
        target: the request target, the second word of the request line: a path with its query.
        host: the value of the Host field.

    Example:
        >>> sent("http://h.example:80/%7Ea?b#c", "urllib3")
        SentRequest(target='/%7Ea?b', host='h.example')
    """

    target: str
    host: str


SentRequest.__module__ = "urlsm.security"


def sent(url: StrOrURL, client: str) -> SentRequest:
    """Return the request target and the Host field that an HTTP client sends for a URL. Nothing is sent.

    Some clients rewrite escapes and dot segments. A signature over the URL as written is then invalid.

    Args:
        url: str, bytes or URL.
        client: the name of the client, with or without a version, as for `compare_readers`: "aiohttp", "httpx",
            "requests", "urllib.request" or "urllib3".

    Raises:
        TypeError: `url` is not str, bytes or URL, or `client` is not a str.
        ValueError: `client` is none of these, or it sends no request for this URL.

    Example:
        >>> sent("http://h.example/a/../%7Eb", "requests").target, sent("http://h.example/a/../%7Eb", "httpx").target
        ('/~b', '/%7Eb')
    """
    if type(client) is not str:
        raise TypeError(f"client must be str, not {type(client).__name__}")
    name = client.partition("@")[0]
    send = program(name).sent if name in HOMES else None
    if send is None:
        known = ", ".join([name for name in sorted(HOMES) if program(name).sent is not None])
        raise ValueError(f"client must be one of {known}, with or without a version, not {client!r}")
    _, release = asked(client)
    found = send(text_of(url), number(release))
    if isinstance(found, str):
        raise ValueError(f"{name} {release} sends no request for this URL: it rejects the {found}")
    return SentRequest(*found)
