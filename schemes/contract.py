"""The contract for scheme handlers: traits describe a scheme, and methods do what traits cannot.

Subclass urlsm.schemes.Scheme, which implements this contract according to RFC 3986 (generic.py), and override what
differs in your scheme. A handler is a stateless instance. Its methods receive Components, split according to RFC 3986
(or RFC 1738).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import GenericAlias

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import FRAGMENT, GENERIC_PATH, HOST, QUERY, UNRESERVED, USERINFO, Characters
from urlsm.schemes.fields import Parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Generic

    from typing_extensions import TypeVar

    from urlsm.schemes.generic import Scheme
    from urlsm.schemes.tiers import Tier

__all__ = ["Contract", "HierarchicalParts", "P", "PathParts", "ServerParts", "parts_named_by"]


class ServerParts(Parts):
    """The server that a URL names, and the user on that server.

    Attributes:
        username: the decoded user name; None if absent
        password: the decoded password; None if absent
        host: the decoded host, in lower case and without brackets; None if absent or empty
        port: the port; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("telnet://guest@Host.example:2323/", "telnet").host
        'host.example'
    """

    username: str | None = None
    password: str | None = None
    host: str | None = None
    port: int | None = None


class PathParts(ServerParts):
    """A user, a server and a path.

    Attributes:
        path: the path as written
        segments: the decoded path segments; () for "", ("",) for "/"

    Example:
        >>> import urlsm
        >>> urlsm.parts("svn://svn.example/repos/my%20trunk", "svn").segments
        ('repos', 'my trunk')
    """

    path: str = ""
    segments: tuple[str, ...] = ()


class HierarchicalParts(PathParts):
    """A user, a server, a path and a query: the parts of a scheme that does not define its own parts.

    If the authority is optional in a scheme, the host is "" for an empty authority (x:///p), and None if there is no
    authority (x:/p).

    Attributes:
        query: the query as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("http://www.example/a/b?c=d", "http").query
        'c=d'
    """

    query: str | None = None


if TYPE_CHECKING:
    P = TypeVar("P", bound=Parts, default=HierarchicalParts, covariant=True)
else:
    P = HierarchicalParts  # at run time, a type variable is what it stands for where nobody names a class

    class Generic:
        """A replacement for typing.Generic that does not load typing. A class keeps its argument in __orig_bases__."""

        __class_getitem__ = classmethod(GenericAlias)


_CHOICES = {  # the values that each trait may have
    "authority": ("required", "optional", "forbidden"),
    **dict.fromkeys(("userinfo", "password"), ("allowed", "deprecated", "forbidden")),
    "host": ("required", "optional"),
    "host_case": ("fold", "keep"),
    **dict.fromkeys(("port", "query"), ("allowed", "forbidden")),
    "path": ("allowed", "required", "root"),
    "fragment": ("allowed", "ignored", "forbidden"),
}

_START = r"[A-Za-z0-9%_\x80-\xFF]"  # an octet that may begin the content of a URL
_NAME = r"[A-Za-z0-9+.\-_]"
_ENDS = r"\x00-\x20\"<>`\\\x7F"  # octets that end a URL in running text
_NUMBER = r"-?[0-9]{1,256}(?:\.[0-9]{0,256})?"

# Each word of the trait in_text, and a regular expression for what must follow "scheme:" in running text, unless "//"
# and an authority follow. It demands less than a grammar, just enough to tell a URL from prose ("news: today",
# "data:x"), and looks at a few hundred characters at most. It matches a character beyond ASCII as its octets in UTF-8.
# A group matches text that certainly belongs to the URL, even a character that ends other URLs ("<").
IN_TEXT = {
    "anything": f"[/?+]|{_START}",  # the default of registered schemes
    "absolute": f"/{_START}",  # file:/etc
    "mailbox": rf"\?{_START}|(?!\?)[^{_ENDS}@:]{{1,256}}@(?:\[|{_START})",  # mailto:a@b, mailto:?to=
    "dotted": rf"(?:\+|{_START})[A-Za-z0-9.\-_~%$&+=:\x80-\xFF]{{0,254}}[.@]{_START}",  # news:comp.lang, sip:a@b
    "digits": r"\+?[\-.()]{0,13}[0-9][\-.()]{0,13}[0-9]",  # a telephone number and its visual separators (RFC 3966)
    "namespace": f"{_NAME}{{2,32}}:{_START}",  # urn:isbn:0 (RFC 8141)
    "position": f"{_NUMBER},-?[0-9]",  # geo:1,2
    "media": rf"(?:{_NAME}{{1,256}}/|(?=[,;]))[^{_ENDS},]{{0,255}},[^{_ENDS}]",  # data:,x (RFC 2397)
    "nested": f"[A-Za-z]{_NAME}{{0,255}}:[^{_ENDS}]",  # blob:https:, view-source:http:, jdbc:mysql:
    "parameters": rf"\?{_NAME}{{0,255}}=",  # magnet:?xt=
    "page": rf"(?i:blank|srcdoc)\.*(?!{_NAME})",  # about:blank (RFC 6694, HTML)
    "call": rf"(?:[A-Za-z0-9_]{_NAME}{{0,255}})?\(",  # javascript:go(
    "segments": f"[A-Za-z]{_NAME}{{0,63}}/{_START}",  # pkg:npm/a
    "address": r"(?=[A-Za-z]{0,255}[0-9])[A-Za-z0-9]{25}|\?[A-Za-z-]{1,32}=",  # bitcoin:1..., lightning:lnbc...
}


class Contract(Generic[P]):
    """The traits and methods of a handler, with the defaults for any scheme (RFC 3986). Subclass `Scheme` instead."""

    names: ClassVar[tuple[str, ...]] = ()  # the schemes, in lower case
    title: ClassVar[str] = "any scheme"  # what the scheme is for, in a few words
    reference: ClassVar[str] = "RFC 3986"  # the document that defines the scheme; violations name it
    reference_date: ClassVar[str] = ""  # the date of the version to follow (2026-08-21); RFCs have none
    example: ClassVar[str] = "scheme://host/path?query#fragment"  # a valid URL with as many components as possible

    owns_plus: ClassVar[bool] = False  # True: a handles "a+b" (b is a driver or transport); False: b handles it
    default_port: ClassVar[int | None] = None  # the port if none is written; normal forms omit it
    special: ClassVar[bool] = False  # whether the URL Standard parses it like http; urlsm.register may set this
    hierarchical: ClassVar[bool] = True  # whether "/", "." and ".." in a path mean what RFC 3986 says
    authority: ClassVar[str] = "optional"  # "//" and what follows it: "required", "optional" or "forbidden"
    userinfo: ClassVar[str] = "allowed"  # "allowed", "deprecated" or "forbidden"
    password: ClassVar[str] = "deprecated"  # "allowed", "deprecated" or "forbidden", in user information
    host: ClassVar[str] = "optional"  # "required" or "optional" (it may be empty), in an authority
    port: ClassVar[str] = "allowed"  # "allowed" or "forbidden"
    path: ClassVar[str] = "allowed"  # "allowed", "required" or "root" (only "" or "/")
    query: ClassVar[str] = "allowed"  # "allowed" or "forbidden"
    fragment: ClassVar[str] = "allowed"  # "allowed", "ignored" (it means nothing) or "forbidden"
    empty_path_is_root: ClassVar[bool] = False  # whether an empty path after an authority means "/"
    host_case: ClassVar[str] = "fold"  # "fold": hosts are case-insensitive; "keep": hosts are case-sensitive
    host_kind: ClassVar[str] = "reg-name"  # what a host is: "reg-name", "hostname" and "domain name" are DNS names
    host_may_pass_for_option: ClassVar[bool] = False  # whether to warn if a host starts with "-", like an option
    forbidden_escapes: ClassVar[str] = ""  # which of "\0", "\r" and "\n" must not be escaped, except in a fragment

    unreserved: ClassVar[Characters] = UNRESERVED  # characters that mean the same when escaped, after the authority
    userinfo_characters: ClassVar[Characters] = USERINFO  # what user information may contain unescaped
    host_characters: ClassVar[Characters] = HOST  # what a host may contain unescaped
    path_characters: ClassVar[Characters] = GENERIC_PATH  # what a path may contain unescaped
    query_characters: ClassVar[Characters] = QUERY  # what a query may contain unescaped
    fragment_characters: ClassVar[Characters] = FRAGMENT  # what a fragment may contain unescaped

    parameters: ClassVar[Parameters | None] = None  # the parameters of the query, if it consists of name=value pairs
    takes_texts: ClassVar[bool] = False  # whether it also accepts non-URLs: host lists, "_" in a driver's name
    # the table that methods use to read the query into parts; by default `parameters`. It defines where "+" is a space
    # for all code that reads or writes queries (parts, query_params, update_query, columns, the shell)
    query_fields: ClassVar[Parameters | None] = None  # None: "+" is a space, as in forms
    nested_is_url: ClassVar[bool] = True  # whether validate also checks nested URLs against their schemes' rules
    equal_by_parts: ClassVar[bool] = False  # whether URLs with equal parts mean the same, however they are written
    in_text: ClassVar[str] = "anything"  # what must follow "scheme:" in running text: a word of IN_TEXT, or a pattern
    rules: ClassVar[dict[str, str]] = {}  # code and message of each rule that this class adds; inherited rules stay
    password_in_path: ClassVar[bool] = False  # whether user:password@ may begin the path, as in sip; repr masks it
    secrets: ClassVar[tuple[str, ...]] = ()  # fields and parameters to mask, in addition to the built-in names
    joined: ClassVar[tuple[str, ...]] = ()  # secrets that consist of several fields: "{prefix}/{suffix}"
    in_userinfo: ClassVar[tuple[str, ...]] = ()  # user information fields; whatever follows a ":" in them is masked
    literal: ClassVar[str] = ""  # the field that clients use literally ("%", ".."), up to the end of the URL
    strict: ClassVar[type[Scheme[Any]] | None] = None  # the handler for RFC 1738's grammar, if there is one
    # by default the class in brackets: BookParts in class Book(Scheme[BookParts])
    parts_type: ClassVar[type[Parts]] = HierarchicalParts  # the class of the parts that read_parts returns

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _refuse_misspelt(cls)
        named = parts_named_by(cls)
        if named is not None and "parts_type" not in vars(cls):
            cls.parts_type = named
        for trait in ("names", "secrets", "joined", "in_userinfo"):
            if not isinstance(getattr(cls, trait), tuple):
                raise TypeError(
                    f"{cls.__name__}.{trait} must be a tuple of str, not {type(getattr(cls, trait)).__name__}"
                )
        if not (isinstance(cls.parts_type, type) and issubclass(cls.parts_type, Parts)):
            raise TypeError(f"{cls.__name__}.parts_type must be a subclass of Parts, not {cls.parts_type!r}")
        if cls.literal and cls.literal not in cls.parts_type._fields:
            raise ValueError(
                f"{cls.__name__}.literal must be a field of {cls.parts_type.__name__}, not {cls.literal!r}"
            )
        if cls.literal and cls.special:
            raise ValueError(f"{cls.__name__}.literal must be empty, because a special scheme is parsed like http")
        for trait, choices in _CHOICES.items():
            if getattr(cls, trait) not in choices:
                said = f"must be one of {', '.join(choices)}, not {getattr(cls, trait)!r}"
                raise ValueError(f"{cls.__name__}.{trait} {said}")
        if cls.in_text.isalpha() and cls.in_text not in IN_TEXT:
            raise ValueError(f"{cls.__name__}.in_text must be one of {', '.join(IN_TEXT)}, not {cls.in_text!r}")
        if cls.in_text not in IN_TEXT and not cls.__module__.startswith("urlsm.schemes."):
            re.compile(cls.in_text)  # raises re.error for a malformed pattern
        if "parameters" in vars(cls) and "query_fields" not in vars(cls):
            cls.query_fields = cls.parameters
        cls.rules = {code: said for base in reversed(cls.__mro__) for code, said in vars(base).get("rules", {}).items()}
        _tell_what_is_masked(cls)

    def read_parts(self, components: Components) -> P:
        """Return the parts of a URL. Be lenient: return parts even for an invalid URL if you can.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).

        Raises:
            SchemeError: a part cannot be read at all. Raise the error that `refusal` returns.
        """
        raise NotImplementedError

    def violations(self, components: Components) -> Iterator[Violation]:
        """Yield a violation for every rule that a URL breaks, including warnings, in any order.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).
        """
        raise NotImplementedError

    def normalize(self, components: Components) -> Components:
        """Return the normal form of a URL. It is equivalent to the URL, and normalising it again does not change it.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).
        """
        raise NotImplementedError

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether two URLs mean the same thing. This handler serves the schemes of both URLs.

        Args:
            a: the first URL, split according to RFC 3986 (or RFC 1738).
            b: the second URL.
        """
        raise NotImplementedError

    def write_parts(self, parts: Any) -> str:
        """Return what follows "scheme:" in a URL with these parts, with each part encoded. `build` checks the result.

        Args:
            parts: an object that has every field of parts_type as an attribute. A field that was not given is None.
        """
        raise NotImplementedError

    def nested(self, components: Components) -> Iterable[str]:
        """Return every nested URL that a client would read, fetch or open (view-source:, jar:, git+https:).

        This method is not called for the URL Standard's special schemes (http, ftp, file ...).

        Args:
            components: the outer URL, split according to RFC 3986.
        """
        return ()

    def hosts(self, components: Components) -> Iterable[tuple[int, str]]:
        """Return the hosts that a client may connect to, apart from the host in the authority.

        They may be in a list (mongodb:), a path (sip:) or a query (magnet:). This method is not called for the URL
        Standard's special schemes (http, ftp, file ...).

        Args:
            components: the URL, split according to RFC 3986.

        Returns:
            pairs: the index in components.text at which a host begins, and the host as written.
        """
        return ()

    def web_url(self, parts: Any) -> str | None:
        """Return an https URL at which anyone can find the same resource; None if there is none.

        Args:
            parts: the parts of the URL.

        Example:
            >>> import urlsm
            >>> urlsm.handler("doi").web_url(urlsm.parts("doi:10.1000/182"))
            'https://doi.org/10.1000/182'
        """
        return None

    @property
    def tier(self) -> Tier | None:
        """How far the handler is held to its document or to live programs; None for a handler that is not built in.

        Example:
            >>> import urlsm
            >>> tier = urlsm.handler("mailto").tier
            >>> tier and tier.name
            'frozen'
        """
        from urlsm.schemes.tiers import TIERS

        own = type(self).__module__.startswith("urlsm.schemes.")
        return TIERS.get(self.names[0]) if own and self.names else None

    def traits(self) -> dict[str, Any]:
        """Return the traits whose value is a str, a bool or an int, by name."""
        kinds = ("ClassVar[str]", "ClassVar[bool]", "ClassVar[int | None]")
        return {name: getattr(self, name) for name, kind in Contract.__annotations__.items() if kind in kinds}

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__} handler of {', '.join(self.names) or 'any scheme'}>"


def parts_named_by(cls: type[Contract[Any]]) -> type[Parts] | None:
    """Return BookParts for class Book(Scheme[BookParts]); None if the class statement does not name a class of
    parts."""
    for base in vars(cls).get("__orig_bases__", ()):
        for kind in getattr(base, "__args__", ()):
            if isinstance(kind, type) and issubclass(kind, Parts) and kind is not Parts:
                return kind
    return None


def _tell_what_is_masked(cls: type[Contract[Any]]) -> None:
    """Tell the class of the parts which fields are secret, because the repr of parts does not know the handler."""
    kind = cls.parts_type
    for trait in ("secrets", "joined", "in_userinfo"):
        if getattr(cls, trait) and kind in (Parts, ServerParts, PathParts, HierarchicalParts):
            raise ValueError(f"{cls.__name__}.{trait} needs its own parts_type")
    if cls.secrets:
        kind._secrets |= {lower(name) for name in cls.secrets}
    if cls.in_userinfo:
        kind._in_userinfo = cls.in_userinfo
    templates = [tuple(re.findall(r"([^{}]*)\{(\w+)\}", template)) for template in cls.joined]
    # a template that was inherited may name fields that these parts lack
    known = [one for one in templates if one and {name for _, name in one}.issubset(kind._fields)]
    if "joined" in vars(cls) and known != templates:
        raise ValueError(f"{cls.__name__}.joined must contain templates of {kind.__name__} fields, not {cls.joined!r}")
    if known:
        kind._joined = tuple(known)


def _refuse_misspelt(cls: type) -> None:
    """Raise TypeError if a class defines a misspelt trait or method (defalt_port)."""
    unknown = [name for name in vars(cls) if name[0] != "_" and not hasattr(super(cls, cls), name)]
    if unknown and not cls.__module__.startswith("urlsm.schemes."):
        from difflib import get_close_matches

        known = [
            name for base in cls.__mro__ if f"{base.__module__}.".startswith("urlsm.schemes.") for name in vars(base)
        ]
        for name in unknown:
            for meant in get_close_matches(name, known, 1, 0.85):
                raise TypeError(f"{cls.__name__}.{name} is not a trait or method of a handler. Did you mean {meant}?")
