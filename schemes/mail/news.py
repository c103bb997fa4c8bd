"""news and nntp (RFC 5538), and snews."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from urlsm.components.parts import decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, PCHAR, Characters, normal_escapes
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.fields import read_number
from urlsm.schemes.generic import Scheme, after_scheme
from urlsm.schemes.rfc1738 import UCHAR, Rfc1738, WithoutQuery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["News", "NewsParts", "Nntp", "NntpParts", "Snews", "StrictNews", "StrictNntp"]

GROUP = Characters(ALPHA + DIGIT + "-+_.")  # group-char
LONGEST = 250 - len("<>")  # octets of a message identifier (RFC 5536 section 3.1.3)
ARTICLE = UCHAR + ";/?:&="

# A wildmat-pattern (RFC 3977 section 4.1) excludes controls, space and ! , [ \ ]. Line breaks are not in this pattern,
# because forbidden_escapes reports them.
_CONTROL = r"%(?:0[0-9BCEFbcef]|1[0-9A-Fa-f]|2[01Cc]|5[BCDbcd]|7[Ff])"
_NOT_WILDMAT = re.compile(rf"(?:{_CONTROL}|[!,])+")
# the name of a group has no wildcards, "*" and "?", either
_NOT_GROUP = re.compile(rf"(?:{_CONTROL}|%2[Aa]|%3[Ff]|[^%{re.escape(GROUP.allowed)}])+")
_NOT_OLD_GROUP = re.compile(r"^[^A-Za-z]|[^A-Za-z0-9.+_-]+")
_TOKEN = re.compile("%[0-9A-Fa-f]{2}|.", re.DOTALL)


def _either(characters: str) -> str:
    """Return a pattern that matches one of the characters, literal or escaped."""
    escapes = "|".join([f"{ord(character):02x}" for character in characters])
    return f"(?:[{re.escape(characters.replace('%', ''))}]|%(?i:{escapes}))"


# msg-id-core = id-left "@" id-right; id-left = dot-atom-text; id-right = dot-atom-text / no-fold-literal (RFC 5536)
_ATEXT, _DOT = _either(ALPHA + DIGIT + "!#$%&'*+-/=?^_`{|}~"), _either(".")
_DOT_ATOM = re.compile(rf"{_ATEXT}+(?:{_DOT}{_ATEXT}+)*")
_DOT_ATOM_SO_FAR = re.compile(rf"(?:{_ATEXT}+(?:{_DOT}{_ATEXT}+)*{_DOT}?)?")
_OPEN, _CLOSE = _either("["), _either("]")
_LITERAL_START = re.compile(_OPEN)
_MDTEXT = _either("".join(map(chr, [*range(33, 62), *range(63, 91), *range(94, 127)])))
_LITERAL = re.compile(f"{_OPEN}{_MDTEXT}*{_CLOSE}")
_LITERAL_SO_FAR = re.compile(f"{_OPEN}{_MDTEXT}*{_CLOSE}?")


class NewsParts(ServerParts):
    """A Usenet newsgroup or article, with or without a server.

    Attributes:
        newsgroup: the newsgroup, or a pattern for newsgroups ("*" for all), decoded; None for an article
        message_id: the message ID of the article, without "<" and ">", decoded; None for a group

    Example:
        >>> import urlsm
        >>> urlsm.parts("news:comp.lang.python", "news").newsgroup
        'comp.lang.python'
    """

    newsgroup: str | None = None
    message_id: str | None = None


class NntpParts(ServerParts):
    """An article on a news server.

    Attributes:
        newsgroup: the newsgroup, decoded
        article_number: the number of the article; None if absent or not a valid number

    Example:
        >>> import urlsm
        >>> urlsm.parts("nntp://news.example/comp.lang.python/12345", "nntp").article_number
        12345
    """

    newsgroup: str = ""
    article_number: int | None = None


class News(Scheme[NewsParts]):
    """newsURL = "news:" [ server "/" ] ( article / newsgroups ). Text that contains "@" is an article."""

    names: ClassVar[tuple[str, ...]] = ("news",)
    title = "Netnews groups, articles"
    reference = "RFC 5538 section 4"
    example = "news://news.example.org/example.group.*"
    default_port: ClassVar[int | None] = 119
    host = "required"
    hierarchical = False
    query = "forbidden"
    forbidden_escapes = "\r\n"  # a line break would end a command of NNTP
    path_characters = PCHAR
    item_characters: ClassVar[Characters] = PCHAR - "@"  # allowed in a group, a pattern, or an article before its "@"
    in_text = "dotted"
    rules: ClassVar[dict[str, str]] = {
        "news-group-missing": "the newsgroup is missing",
        "news-group-invalid": "this must be a newsgroup or a pattern for newsgroups",
        "news-message-id-invalid": "the message identifier is not valid",
    }

    def read_parts(self, components: Components) -> NewsParts:
        item = components.path or ""
        if components.host is not None:
            item = item.removeprefix("/")
        if "@" in item:
            return NewsParts(*server(components), None, decode(item))
        return NewsParts(*server(components), decode(item) or "*", None)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        if components.host is not None:
            if start == end:
                yield self.violation("path-missing", "path", start)
            start += start < end  # the "/" that ends the server
        yield from self.faults(components, "path", start, end, self.path_characters)
        at = components.text.find("@", start, end)
        if at < 0:
            for wrong in _NOT_WILDMAT.finditer(components.text, start, end):
                yield self.violation("news-group-invalid", "path", wrong.start())
            return
        for position in _message_id_faults(components.text, start, at, end):
            yield self.violation("news-message-id-invalid", "path", position)
        for first_too_many in islice(_TOKEN.finditer(components.text, start, end), LONGEST, LONGEST + 1):
            yield self.violation("news-message-id-invalid", "path", first_too_many.start())

    def normalize(self, components: Components) -> Components:
        n = super().normalize(components)
        path = n.path or ""
        start = "" if n.host is None else "/"
        left, at, right = path.removeprefix(start).partition("@")
        item = normal_escapes(left, self.item_characters) + at + normal_escapes(right, self.path_characters)
        return n.replace(path=start + (item or "*"))  # "news://server/" is "news://server/*"

    def write_parts(self, parts: Any) -> str:
        server = super().write_parts(parts)
        start = f"{server}/" if server else ""
        if parts.message_id is None:
            return start + self.item_characters.encode("*" if parts.newsgroup is None else parts.newsgroup)
        left, at, right = str(parts.message_id).partition("@")
        return start + self.item_characters.encode(left) + at + self.path_characters.encode(right)


class Snews(News):
    names: ClassVar[tuple[str, ...]] = ("snews",)
    title = "Netnews over TLS"
    reference = "RFC 5538 section 8.1"
    example = "snews://news.example.org/example.group.this"
    default_port: ClassVar[int | None] = 563
    strict: ClassVar[type[Scheme[Any]] | None] = None


class Nntp(Scheme[NntpParts]):
    """nntpURL = "nntp:" server "/" group [ "/" article-number ]; article-number = 1*16DIGIT"""

    names: ClassVar[tuple[str, ...]] = ("nntp",)
    title = "Netnews article by number"
    reference = "RFC 5538 section 3"
    example = "nntp://news.example.org/example.group.this/12345"
    default_port: ClassVar[int | None] = 119
    authority = "required"
    host = "required"
    query = "forbidden"
    forbidden_escapes = "\r\n"
    group_fault: ClassVar[re.Pattern[str]] = _NOT_GROUP
    most_digits: ClassVar[int | None] = 16
    rules: ClassVar[dict[str, str]] = {
        "nntp-group-missing": "the newsgroup is missing",
        "nntp-group-invalid": "the newsgroup is not valid",
        "nntp-article-number-invalid": "the article number must be a number of at most 16 digits",
    }

    def read_parts(self, components: Components) -> NntpParts:
        group, _, number = (components.path or "").removeprefix("/").partition("/")
        return NntpParts(*server(components), decode(group), read_number(number))

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        start += components.text.startswith("/", start, end)
        slash = components.text.find("/", start, end)
        group_end = end if slash < 0 else slash
        if start == group_end:
            yield self.violation("nntp-group-missing", "path", start)
        yield from self.faults(components, "path", start, group_end, self.path_characters)
        for wrong in self.group_fault.finditer(components.text[start:group_end]):
            yield self.violation("nntp-group-invalid", "path", start + wrong.start())
        if slash >= 0:
            number = components.text[slash + 1 : end]
            other = re.search("[^0-9]|$", number)
            position = other.start() if other is not None else 0
            if self.most_digits is not None:
                position = min(position, self.most_digits)
            if position < len(number) or not number:
                yield self.violation("nntp-article-number-invalid", "path", slash + 1 + position)

    def normalize(self, components: Components) -> Components:
        path = components.path or ""
        start = path[:1] if path.startswith("/") else ""
        group, slash, number = path.removeprefix(start).partition("/")
        if number.isascii() and number.isdigit():
            number = number.lstrip("0") or "0"
        # the group is taken from the path as written, because "." and ".." may be groups, and no group holds a "~"
        return super().normalize(components).replace(path=start + normal_escapes(group, GROUP) + slash + number)

    def write_parts(self, parts: Any) -> str:
        number = "" if parts.article_number is None else f"/{parts.article_number}"
        return f"{super().write_parts(parts)}/{GROUP.encode(parts.newsgroup or '')}{number}"


class StrictNews(Rfc1738[NewsParts], News):
    """newsurl = "news:" ( "*" | group | article ); group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ];
    article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host"""

    example = "news:comp.infosystems.www.misc"
    item_characters: ClassVar[Characters] = UCHAR + ";:&="

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        item = components.text[start:end]
        at = components.text.find("@", start, end)
        if item.startswith("//"):
            yield self.violation("authority-not-allowed", "authority", after_scheme(components))
        elif at >= 0:
            if at == start:
                yield self.violation("news-message-id-invalid", "path", at)
            yield from self.faults(components, "path", start, at, ARTICLE)
            if at + 1 == end:
                yield self.violation("host-missing", "host", end)
            else:
                yield from self.host_faults(components, components.text[at + 1 : end], at + 1, end)
        elif not item:
            yield self.violation("news-group-missing", "path", start)
        elif item != "*":
            for wrong in _NOT_OLD_GROUP.finditer(item):
                yield self.violation("news-group-invalid", "path", start + wrong.start())


class StrictNntp(WithoutQuery[NntpParts], Nntp):
    """nntpurl = "nntp://" hostport "/" group [ "/" digits ]; the group is the same as in newsurl"""

    userinfo = "forbidden"
    group_fault = _NOT_OLD_GROUP
    most_digits: ClassVar[int | None] = None


News.strict = StrictNews
Nntp.strict = StrictNntp


def _message_id_faults(text: str, start: int, at: int, end: int) -> Iterator[int]:
    """Yield the positions at which text[start:end], whose first "@" is at `at`, stops being a msg-id-core."""
    if not _DOT_ATOM.fullmatch(text, start, at):
        yield _so_far(_DOT_ATOM_SO_FAR, text, start, at)
    start = at + 1
    if _LITERAL_START.match(text, start, end):
        if not _LITERAL.fullmatch(text, start, end):
            yield _so_far(_LITERAL_SO_FAR, text, start, end)
    elif not _DOT_ATOM.fullmatch(text, start, end):
        yield _so_far(_DOT_ATOM_SO_FAR, text, start, end)


def _so_far(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Return where the match of the pattern at start ends."""
    found = pattern.match(text, start, end)
    return start if found is None else found.end()
