"""Test your own scheme: check_handler() checks a handler, and strategies let hypothesis generate URLs.

    def test_book():
        check_handler(Book, valid=["book://crime"], broken=["book://crime?x", ("book:", "authority-missing")])

check_handler needs only urlsm. The strategies need hypothesis, which is imported when you create a strategy.
"""

from __future__ import annotations

import pickle
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components, split, unsplit
from urlsm.errors import SchemeError
from urlsm.errors.rules import COMPONENTS, Violation
from urlsm.meaning.registry import checked_traits, handler
from urlsm.schemes.contract import Contract, HierarchicalParts, parts_named_by
from urlsm.schemes.generic import Scheme
from urlsm.url.value import can_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["check_handler", "hostile_urls", "hosts", "queries", "urls"]


def __dir__() -> list[str]:
    return __all__


# texts to which grammars of schemes may react: delimiters, escapes, characters beyond ASCII, names and numbers with a
# meaning
_PIECES: tuple[str, ...] = (
    *"/?#[]@:;,=&%+-._~!$'()*\\^`{}|<> \"\t\0\r\nazAZ019",
    *("//", "?=", "?+", "%00", "%0A", "%0d%0A", "%09", "%2F", "%3f", "%40", "%FF", "%c3%A9", "%zz", "%"),
    *("é", "€", "\u212a", "\U0001f600", "\ud800", "\udcff", "user", "pw", "h.example", "[::1]", "127.0.0.1", "80"),
    *("65536", ";type=a", ";type=", "type", "example", "isbn:0", "urn:", "text/plain", ";base64,", "AA==", ";AUTH=*"),
    *("/;UID=", "20", "sub?base?(cn=*)", "xt=urn:btih:", "to=a@b.c", "subject", "body", ";phone-context=", "+1-201"),
    *(";ext=", "1,2", ";u=", "http://", "~u", "C:", "c|", "..", ".", "blank", "transport=udp", "ttl=", "CLASS="),
    *("name=", "db", "bucket", "mysql:"),
)
_ESCAPED = "a~!$&'()*+,;=:@/?#"  # for these characters, the scheme decides whether an escape means the same
_HOSTILE = 200  # the number of hostile texts; each takes half a millisecond
_LONGEST = 1 << 15  # the length of the longest text that is timed, in characters
# a text of eight times the length may take at most this many times as long; a quadratic step would take 64 times as
# long
_SLOWER = 30


# --- the contract ------------------------------------------------------------------------------


def check_handler(
    handler: Scheme[Any] | type[Scheme[Any]],
    *,
    valid: Iterable[str] = (),
    broken: Iterable[str | tuple[str, str]] = (),
    linear: bool = True,
) -> None:
    """Check that a scheme handler fulfils the contract of urlsm.schemes.Scheme. The handler need not be registered.

    The example and each valid URL must have no errors and keep their parts through `build`. Their normal forms must be
    stable and equivalent to them. For hostile text, the handler must raise only SchemeError. For long text, it must
    take linear time. See docs/test-a-scheme.md.

    Args:
        handler: a Scheme instance or class.
        valid: valid URLs, in addition to the example.
        broken: URLs that break a rule, or pairs of a URL and the code of the violation.
        linear: whether to check the time as well. This check takes a tenth of a second, and is skipped under a tracer.

    Raises:
        AssertionError: the handler breaks the contract. The message names the method and the URL.
        TypeError: `handler` is not a Scheme, or `valid` or `broken` is a single str.

    Example:
        >>> import urlsm
        >>> check_handler(urlsm.handler("mailto"), valid=["mailto:a@b.example"], linear=False)
    """
    made = handler() if isinstance(handler, type) and issubclass(handler, Scheme) else handler
    if not isinstance(made, Scheme):
        raise TypeError(f"handler must be a urlsm.schemes.Scheme, not {type(made).__name__}")
    for name, texts in (("valid", valid), ("broken", broken)):
        if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
            raise TypeError(f"{name} must be an iterable of str, not {type(texts).__name__}")
    _Check(made).run(valid, broken, linear)


class _Check:
    """The checks for one handler. A check that fails raises an AssertionError."""

    def __init__(self, handler: Scheme[Any]) -> None:
        self.handler = handler
        self.name = type(handler).__name__

    def run(self, valid: Iterable[str], broken: Iterable[str | tuple[str, str]], linear: bool) -> None:
        self.traits()
        state = dict(vars(self.handler))
        for text in dict.fromkeys((self.handler.example, *valid)):
            self.valid(text)
        for item in broken:
            self.broken(*((item,) if isinstance(item, str) else item))
        self.fields()
        for text in _hostile(self.handler):
            self.hostile(text)
        changed = [name for name, value in vars(self.handler).items() if state.get(name, state) != value]
        said = f"{self.name} has changed while it was checked: {changed} has a new value. A handler has no state"
        self.require(not changed, said)
        if linear:
            self.linear()

    def require(self, holds: bool, said: str) -> None:
        if not holds:
            raise AssertionError(re.sub("([^ ]{150})[^ ]+([^ ]{30})", r"\1…\2", said))

    # --- what is asked of a text ---

    def call(self, method: str, text: str, *given: Any, allowed: tuple[type[Exception], ...] = ()) -> Any:
        """Return the result of a method. The check fails if the method raises an exception that is not allowed."""
        try:
            found = getattr(self.handler, method)(*given)
            return list(found) if method in ("violations", "nested") else found
        except allowed:
            raise
        except Exception as error:
            expected = "" if method != "read_parts" else ". It may raise only SchemeError: see Scheme.refusal"
            raise AssertionError(
                f"{self.name}.{method} raised {type(error).__name__} ({error}) for {text!r}{expected}"
            ) from error

    def errors(self, c: Components) -> list[Violation]:
        """Check all violations in a URL, and return the violations that are errors."""
        text = str(c.text)
        found = self.call("violations", text, c)
        for item in found:
            self.require(isinstance(item, Violation), f"{self.name}.violations({text!r}): {item!r} is not a Violation")
            where, told = item.position, bool(item.code and item.message and item.reference)
            inside, graded = isinstance(where, int) and 0 <= where <= len(text), item.severity in ("error", "warning")
            for holds, said in (
                (inside, f"at {where}, outside of the text (0 to {len(text)})"),
                (graded, f"with the severity {item.severity!r}, not 'error' or 'warning'"),
                (item.component in COMPONENTS, f"of an unknown component, {item.component!r}"),
                (told, f"without a code, a message or a reference: {item!r}"),
            ):
                self.require(holds, f"{self.name}.violations({text!r}) gives {item.code} {said}")
        return [item for item in found if item.severity == "error"]

    def parts(self, c: Components, allowed: tuple[type[Exception], ...] = ()) -> Parts:
        text = str(c.text)
        found: Parts = self.call("read_parts", text, c, allowed=allowed)
        kind = self.handler.parts_type
        self.require(
            isinstance(found, kind),
            f"{self.name}.read_parts({text!r}) gives a {type(found).__name__}, not a {kind.__name__} "
            "as parts_type says",
        )
        again = self.call("read_parts", text, c)
        self.require(found == again, f"{self.name}.read_parts({text!r}) gives {found!r}, and then {again!r}")
        return found

    def normal(self, c: Components) -> Components:
        text = str(c.text)
        found = self.call("normalize", text, c)
        self.require(
            isinstance(found, Components),
            f"{self.name}.normalize({text!r}) gives a {type(found).__name__}, not Components",
        )
        normal = split(unsplit(found), dialect="rfc3986")
        again = unsplit(self.call("normalize", str(normal.text), normal))
        self.require(
            again == normal.text,
            f"{self.name}.normalize({text!r}) gives {normal.text!r}, which it would "
            f"change again, to {again!r}: normalising a normal form must not change it",
        )
        for a, b, said in ((c, normal, "its own normal form"), (normal, c, "its own normal form"), (c, c, "itself")):
            self.require(
                bool(self.call("equivalent", text, a, b)),
                f"{self.name}.equivalent says that {text!r} is not equivalent to {said} {normal.text!r}",
            )
        return normal

    # --- the checks ---

    def traits(self) -> None:
        handler, name = self.handler, self.name
        try:
            checked_traits(handler)
        except ValueError as error:
            raise AssertionError(f"{name}: {error}") from error
        for trait in ("title", "reference", "example"):
            said = getattr(handler, trait)
            self.require(
                isinstance(said, str) and bool(said) and said != getattr(Contract, trait),
                f"{name}.{trait} is {said!r}: every handler must have its own",
            )
        typed = next(filter(None, map(parts_named_by, type(handler).__mro__)), HierarchicalParts)
        self.require(
            typed is HierarchicalParts or issubclass(handler.parts_type, typed),
            f"{name}.parts_type is {handler.parts_type.__name__}, but type checkers see {typed.__name__}: "
            f"name the class in brackets, as in class {name}(Scheme[{handler.parts_type.__name__}])",
        )
        scheme = handler.example.partition(":")[0].lower()
        self.require(
            scheme in handler.names,
            f"{name}.example is {handler.example!r}, but {scheme!r} is not one "
            f"of its names: {', '.join(handler.names)}",
        )

    def valid(self, text: str) -> None:
        c = split(text, dialect="rfc3986")
        wrong = self.errors(c)
        said = f"{wrong[0].code} at {wrong[0].position}: {wrong[0].message}" if wrong else ""
        self.require(not wrong, f"{self.name}.violations finds {text!r} broken, which should be valid ({said})")
        parts = self.parts(c)
        self.hides_secrets(text, parts)
        self.nested(c)
        kind = type(parts)
        # pickle finds a class by its name, so only the parts of such a class can be pickled
        if getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind:
            same = pickle.loads(pickle.dumps(parts)) == parts
            self.require(same, f"{self.name}.read_parts({text!r}) gives parts that differ after pickling")
        self.reads_back(c, parts)
        self.normal_is_valid(c)

    def normal_is_valid(self, c: Components) -> None:
        normal = self.normal(c)
        wrong = self.errors(normal)
        self.require(
            not wrong,
            f"{self.name}.normalize({c.text!r}) gives {normal.text!r}, which breaks a rule "
            f"that the text does not: {wrong[0].code if wrong else ''}",
        )

    def reads_back(self, c: Components, parts: Parts) -> None:
        """Check that build is the inverse of read_parts for these parts."""
        given = dict(parts)
        try:
            text = self.handler.build(scheme=c.scheme, **given)
        except Exception as error:
            raise AssertionError(
                f"{self.name}.build, which calls write_parts, raised {type(error).__name__} "
                f"({_line(error)}) for the parts of {c.text!r}: {parts!r}"
            ) from error
        again = split(text, dialect="rfc3986")
        found = self.parts(again)
        self.require(
            found == parts,
            f"{self.name}.write_parts writes the parts of {c.text!r} as {text!r}, which reads "
            f"back as different parts: {found!r}, not {parts!r}",
        )
        if c.fragment is not None and again.fragment is None:
            again = again.replace(fragment=c.fragment)
        if None not in (c.host, again.host) and lower(decode(c.authority or "")) == lower(
            decode(again.authority or "")
        ):
            # an escaped delimiter in an authority does not mean the delimiter (RFC 3986 section 6.2.2.2), but build may
            # write one for the other
            again = again.replace(userinfo=c.userinfo, host=c.host)
        self.require(
            bool(self.call("equivalent", str(c.text), c, again)),
            f"{self.name}.equivalent says that {c.text!r} is not equivalent to what build returns for its parts, "
            f"{text!r}: the trait unreserved and normalize must treat what read_parts decodes like its escape",
        )

    def broken(self, text: str, code: str | None = None) -> None:
        found = self.errors(split(text, dialect="rfc3986"))
        codes = ", ".join([item.code for item in found])
        self.require(bool(found), f"{self.name}.violations finds nothing wrong with {text!r}, which should be broken")
        self.require(
            code is None or code in [item.code for item in found],
            f"{self.name}.violations finds {codes} in {text!r}, but not {code}",
        )
        self.hostile(text)

    def nested(self, c: Components) -> None:
        """Check that nested yields only str, and the same strings each time."""
        found = self.call("nested", str(c.text), c)
        self.require(
            all(isinstance(url, str) for url in found) and found == self.call("nested", str(c.text), c),
            f"{self.name}.nested({c.text!r}) gives {found!r}, not the same str each time",
        )

    def hides_secrets(self, text: str, parts: Parts) -> None:
        """Check that the repr of the parts shows neither a password nor the value of a field in the trait secrets."""
        hidden = {"password", *map(str.lower, self.handler.secrets)}
        pairs: list[tuple[Any, Any]] = [*dict(parts).items()]
        for value in dict(parts).values():
            if isinstance(value, tuple):
                pairs += [item for item in value if isinstance(item, tuple) and len(item) == 2]
        shown = repr(parts)
        others = "".join([str(value) for name, value in pairs if str(name).lower() not in hidden])
        for name, value in pairs:
            secret = isinstance(value, str) and len(value) > 2 and str(name).lower() in hidden and value not in others
            self.require(
                not secret or value not in shown,
                f"{self.name}: repr of the parts of {text!r} shows the {name}, which is secret. Declare it in secrets",
            )

    def fields(self) -> None:
        """Check that violations reports a repeated parameter and a parameter that is not a number, if the table forbids
        them."""
        if self.handler.parameters is None:
            return
        example = split(self.handler.example, dialect="rfc3986")
        if example.query is None or self.handler.query == "forbidden":
            return
        given = {self.handler.parameters.key(name) for _, name, _ in self.handler.parameters.of_query(example)}
        for field in self.handler.parameters.known.values():
            mark = self.handler.parameters.separator if example.query else ""
            more = f"{mark}{field.name}=1"
            if field.repeat == "forbid":
                twice = more if field.name in given else more + f"{self.handler.parameters.separator}{field.name}=1"
                self.breaks(example.replace(query=example.query + twice), f"the field {field.name} twice")
            if field.kind in ("number", "decimal") and field.name not in given:
                wrong = f"{mark}{field.name}=x-x"
                self.breaks(example.replace(query=example.query + wrong), f"no {field.kind} as {field.name}")

    def breaks(self, c: Components, what: str) -> None:
        text = unsplit(c)
        self.require(
            bool(self.errors(split(text, dialect="rfc3986"))),
            f"{self.name}.violations finds nothing wrong with {text!r}: {what}, which its table of parameters forbids. "
            "An override of query_violations must call super()",
        )

    def hostile(self, text: str) -> None:
        c = split(text, dialect="rfc3986")
        wrong = self.errors(c)
        self.nested(c)
        try:
            parts = self.parts(c, allowed=(SchemeError,))
        except SchemeError as error:
            self.require(
                bool(wrong),
                f"{self.name}.read_parts rejects {text!r} ({_line(error)}), but violations finds no rule "
                "that it breaks",
            )
            str(error)
            self.normal(c)
            return
        repr(parts)
        if wrong:
            self.normal(c)
            self.build_refuses_or_writes(c, parts)
        else:
            self.reads_back(c, parts)
            self.normal_is_valid(c)

    def build_refuses_or_writes(self, c: Components, parts: Parts) -> None:
        try:
            self.handler.build(scheme=c.scheme, **dict(parts))
        except ValueError:
            return
        except Exception as error:
            raise AssertionError(
                f"{self.name}.build, which calls write_parts, raised {type(error).__name__} ({error}) for "
                f"the parts of {c.text!r}, not ValueError"
            ) from error

    def linear(self) -> None:
        start = self.handler.example
        for piece in ("&=%2f;", "a", "/"):
            for method in ("read_parts", "violations", "normalize", "equivalent"):
                sizes = (_LONGEST // 8, _LONGEST)
                took = [self.seconds(method, start + piece * (size // len(piece))) for size in sizes]
                self.require(
                    took[1] < _SLOWER * max(took[0], 0.004),
                    f"{self.name}.{method} took {took[0]:.3f} s for {_LONGEST // 8} characters and "
                    f"{took[1]:.3f} s for {_LONGEST} ({piece!r} again and again after its example): its time "
                    "must be proportional to the length",
                )

    def seconds(self, method: str, text: str) -> float:
        c = split(text, dialect="rfc3986")
        given = (c, c) if method == "equivalent" else (c,)
        shortest = float("inf")
        for _ in range(2):
            begin = time.process_time()
            with suppress(SchemeError):
                self.call(method, text[:40] + "...", *given, allowed=(SchemeError,))
            shortest = min(shortest, time.process_time() - begin)
        return shortest


def _hostile(handler: Scheme[Any]) -> Iterator[str]:
    """Yield strings that a handler may receive, always the same ones: its example with faults, pieces of URLs, and long
    and empty strings."""
    scheme, _, rest = handler.example.partition(":")
    for name in handler.names:
        yield from (f"{name}:", f"{name}:?", f"{name}:#", f"{name}://", f"{name}:///", f"{name.upper()}:{rest}")
    c = split(handler.example, dialect="rfc3986")
    for end in [found[1] for name in ("userinfo", "host", "path", "query") if (found := c.span(name)) is not None]:
        for character in _ESCAPED:
            yield f"{handler.example[:end]}%{ord(character):02X}{handler.example[end:]}"
    yield from (f"{scheme}:{rest * 50}", f"{scheme}:{rest}%00%ff", f"{scheme}:" + "".join(map(chr, range(0x100))))
    rng = random.Random(scheme)
    for _ in range(_HOSTILE):
        yield f"{scheme}:{_spoilt(rng, rest)}"


def _spoilt(rng: random.Random, rest: str) -> str:
    if rng.random() < 0.3:
        return "".join(rng.choices(_PIECES, k=rng.randrange(12)))
    at, cut = rng.randrange(len(rest) + 1), rng.randrange(5)
    return rest[:at] + "".join(rng.choices(_PIECES, k=rng.randrange(4))) + rest[at + cut :]


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]


# --- strategies for hypothesis -----------------------------------------------------------------


def urls(scheme: str = "http") -> SearchStrategy[str]:
    """Return a hypothesis strategy for valid URLs of a scheme.

    Args:
        scheme: the name of the scheme.

    Example:
        >>> from hypothesis import given
        >>> @given(urls("mailto"))
        ... def test_mailto(url):
        ...     assert url.startswith("mailto:")
    """
    from hypothesis import strategies as st

    found = handler(scheme)
    name, _, rest = (found.example if found.names else "scheme://host/path?query").partition(":")
    rest = rest if found.names else rest.partition("#")[0]
    varied = st.lists(st.tuples(st.integers(0, max(len(rest) - 1, 0)), st.sampled_from("abcxyz019-._~")), max_size=6)
    grown = st.tuples(varied, st.lists(st.sampled_from(("a", "b.c", "%20", "~", "1")), max_size=3), st.booleans())

    def made(changes: tuple[list[tuple[int, str]], list[str], bool]) -> str:
        text = list(rest)
        for at, character in changes[0]:
            if text and text[at].isalnum() and text[at].isascii():
                text[at] = character
        written = "".join(text)
        if changes[1] and found.hierarchical and found.path == "allowed":
            before, mark, after = written.partition("?")
            written = f"{before}/{'/'.join(changes[1])}{mark}{after}"
        return f"{name if changes[2] else scheme}:{written}"

    def is_valid(text: str) -> bool:
        return not any(item.severity == "error" for item in found.violations(split(text, dialect="rfc3986")))

    original = f"{scheme}:{rest}"
    return grown.map(lambda changes: text if is_valid(text := made((*changes[:2], False))) else original)


def hosts() -> SearchStrategy[str]:
    """Return a hypothesis strategy for URL hosts: domains, IPv4 addresses, and IPv6 addresses in brackets.

    Example:
        >>> from hypothesis import given
        >>> @given(hosts())
        ... def test_host(host):
        ...     assert urlsm.can_parse(f"http://{host}/")
    """
    from hypothesis import strategies as st

    label = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True).filter(lambda text: text[2:4] != "--")
    top = st.from_regex("[a-z]{2,10}", fullmatch=True)
    domains = st.tuples(st.lists(label, max_size=3), top).map(lambda found: ".".join([*found[0], found[1]]))
    beyond_ascii = st.sampled_from(("bücher.example", "例え.jp", "xn--bcher-kva.example", "λ.gr"))
    ipv4, ipv6 = st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map(lambda found: f"[{found}]")
    return st.one_of(domains, domains, beyond_ascii, ipv4, ipv6).filter(lambda host: can_parse(f"http://{host}/"))


def queries() -> SearchStrategy[str]:
    """Return a hypothesis strategy for query strings without "?": form-encoded or otherwise allowed by RFC 3986.

    Example:
        >>> from hypothesis import given
        >>> @given(queries())
        ... def test_query(query):
        ...     assert urlsm.can_parse(f"http://h/?{query}")
    """
    from urllib.parse import urlencode

    from hypothesis import strategies as st

    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    forms = st.lists(st.tuples(words, words), max_size=5).map(urlencode)
    return st.one_of(forms, st.from_regex(r"([a-z0-9._~!$'()*+,;=:@/?&-]|%[0-9A-F]{2}){0,30}", fullmatch=True))


def hostile_urls(scheme: str = "http") -> SearchStrategy[str]:
    """Return a hypothesis strategy for hostile text: nearly valid URLs of a scheme, and arbitrary strings.

    For hostile text, urlsm raises only ParseError. Your functions should do the same.

    Args:
        scheme: the name of the scheme.

    Example:
        >>> from hypothesis import given
        >>> @given(hostile_urls("mailto"))
        ... def test_hostile(text):
        ...     urlsm.try_parse(text)
    """
    from hypothesis import strategies as st

    found = handler(scheme)
    rest = (found if found.names else Contract).example.partition(":")[2]
    spoilt = st.randoms(use_true_random=False).map(lambda rng: f"{scheme}:{_spoilt(rng, rest)}")
    anything = st.text(st.characters(exclude_categories=[]), max_size=40)
    return st.one_of(spoilt, spoilt, anything, anything.map(lambda text: f"{scheme}://{text}"))
