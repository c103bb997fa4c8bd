"""URLPattern: the class that browsers use to match URLs against patterns. https://urlpattern.spec.whatwg.org/"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from urlsm.machine.driver import SPECIAL
from urlsm.patterns import canonical
from urlsm.patterns.components import (
    FIXED,
    MODIFIERS,
    REGEXP_PART,
    SEGMENT_WILDCARD,
    Component,
    compile_component,
    escape_pattern,
)
from urlsm.patterns.errors import PatternError, shortened
from urlsm.patterns.matcher import Matcher
from urlsm.patterns.one_pattern import Tested
from urlsm.patterns.pattern_strings import Part, parse_constructor_string
from urlsm.patterns.programs import Program
from urlsm.patterns.rule import Rule
from urlsm.patterns.tables import Tables
from urlsm.url.params import scalar_values
from urlsm.url.value import URL, try_parse
from urlsm.whatwg import URL as MutableURL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

__all__ = ["NAMES", "URLPattern", "components_of"]

NAMES = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")


def _pattern_of(component: int) -> Any:
    return property(lambda self: self._components[component].pattern, doc="Its pattern, in normal form.")


class URLPattern(Tested):
    """A pattern that is compared with a URL component by component. Two patterns are equal if their components and
    ignore_case are equal. Patterns are hashable, and can be pickled.

    Args:
        input: a constructor string, a URL, or a mapping of components ("protocol", ..., "hash", "baseURL").
        base_url: the base URL for a constructor string, as a str or a URL. The options may be given in its place.
        options: {"ignoreCase": True} ignores case. ignore_case: True has the same effect.
        regexps: True: regular expressions in the pattern run in linear time; back references and assertions are
            rejected. "re": patterns with back references or assertions are allowed, and Python's `re` runs them. This
            can take exponential time, so use it only for patterns and URLs that you trust. False: all regular
            expressions are rejected.

    Raises:
        TypeError: the pattern is not valid. As in a browser, this is not a ValueError. ValueError: `regexps` is not one
        of these values.

    https://urlpattern.spec.whatwg.org/#urlpattern-class
    """

    __slots__ = ("_components", "_ignore_case", "_input", "_regexps")

    def __init__(
        self,
        input: str | URL | MutableURL | Mapping[str, str] | None = None,
        base_url: str | URL | MutableURL | Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        ignore_case: bool = False,
        regexps: bool | Literal["re"] = True,
    ) -> None:
        if base_url is not None and isinstance(base_url, Mapping):
            if options is not None:
                raise TypeError("the options were passed twice: as base_url and as options")
            base_url, options = None, base_url
        if options is not None:
            ignore_case = bool(options.get("ignoreCase", ignore_case))
        self._ignore_case, self._regexps = ignore_case, regexps
        given, base = _text({} if input is None else input), _text(base_url)
        if not isinstance(given, (str, Mapping)):
            raise TypeError(f"a pattern must be str, a URL or a mapping, not {type(given).__name__}")
        self._input: tuple[Any, ...] = (given if isinstance(given, str) else tuple(given.items()), base)
        self._components = components_of(given, base, ignore_case, regexps)

    # --- components ---------------------------------------------------------------------------------

    protocol: str = _pattern_of(0)
    username: str = _pattern_of(1)
    password: str = _pattern_of(2)
    hostname: str = _pattern_of(3)
    port: str = _pattern_of(4)
    pathname: str = _pattern_of(5)
    search: str = _pattern_of(6)
    hash: str = _pattern_of(7)

    @property
    def has_regexp_groups(self) -> bool:
        """Whether any component contains a regular expression.
        https://urlpattern.spec.whatwg.org/#dom-urlpattern-hasregexpgroups"""
        return any(component.has_regexp_groups for component in self._components)

    # --- matching -----------------------------------------------------------------------------------

    def _test_at_length(self, input: Any, base_url: str | None) -> bool:
        """Return the result of `test` for any input, such as a mapping, or a str with a base."""
        texts = _texts({} if input is None else input, base_url)
        if isinstance(input, (str, URL)) and all(component.plain is not None for component in self._components):
            self._set_matcher(self._matcher())
        return texts is not None and all(map(_matches, self._components, texts))

    def _matcher(self) -> Matcher:
        """Return a matcher with one rule, which has the scheme, and a check for each other component that is not "*".
        The host is checked first, because hosts differ most often."""
        schemes = self._components[0].fixed_text
        checks = [
            ("path" if name == "pathname" else name, c.plain)
            for name, c in zip(NAMES, self._components, strict=True)
            if not c.is_any and (schemes is None or name != "protocol")
        ]
        checks.sort(key=lambda check: check[0] != "hostname")
        tables = Tables(single=True)
        tables.add(Rule(schemes=None if schemes is None else (schemes,), checks=tuple(checks)))
        return Matcher(tables)

    def _exec_at_length(self, input: Any, base_url: str | None) -> dict[str, Any] | None:
        """Return the result of `exec` for any input."""
        if type(input) in (str, URL) and base_url is None and not self.test(input):
            return None  # a shortcut, because most texts do not match
        programs = [(program, one.names) for one in self._components if isinstance(program := one.program, Program)]
        if len(programs) == len(self._components):
            self._set_programs(tuple(programs))
        given = {} if input is None else input
        texts = _texts(given, base_url)
        if texts is None:
            return None
        made: dict[str, Any] = {"inputs": [given] if base_url is None else [given, base_url]}
        for name, component, text in zip(NAMES, self._components, texts, strict=True):
            spans = component.program.spans(text.encode())[0] if text.isascii() else None
            if spans is None:
                return None
            groups = {}
            for group, called in enumerate(component.names):
                span = spans[group] if group < len(spans) else None
                groups[called] = None if span is None else text[span[0] : span[1]]
            made[name] = {"input": text, "groups": groups}
        return made

    def generate(self, component: str, groups: Mapping[str, str]) -> str:
        """Generate the text of a component from the values of its groups.

        TypeError: there is no such component; a part of it is a regular expression, or may be repeated or left out; a
        group is missing; or a value cannot occur in the component.
        """
        if component not in NAMES:
            raise TypeError(f"{component!r} is not a component; the components are {', '.join(NAMES)}")
        made = self._components[NAMES.index(component)]
        text = ""
        for part in made.parts:
            if part.modifier:
                raise TypeError(shortened(f"{made.pattern!r} has a part that may be repeated or left out"))
            if part.kind == FIXED:
                text += part.value
                continue
            if part.kind == REGEXP_PART or part.name not in groups:
                said = f"the group {part.name!r} of {made.pattern!r} is not given, or is a regular expression"
                raise TypeError(shortened(said))
            value = made.encode(scalar_values(groups[part.name]))
            if part.kind == SEGMENT_WILDCARD and (not value or (made.delimiter or "\0") in value):
                raise TypeError(shortened(f"the group {part.name!r} of {made.pattern!r} cannot be {value!r}"))
            text += part.prefix + value + part.suffix
        return text

    @staticmethod
    def compare_component(component: str, left: URLPattern, right: URLPattern) -> int:
        """Compare a component of two patterns. Return -1 if the component of `left` is less specific, 1 if the
        component of `right` is, and 0 if they are equal.

        TypeError: there is no such component, or left or right is not a URLPattern.
        https://urlpattern.spec.whatwg.org/#dom-urlpattern-comparecomponent
        """
        if component not in NAMES:
            raise TypeError(f"{component!r} is not a component; the components are {', '.join(NAMES)}")
        if not (isinstance(left, URLPattern) and isinstance(right, URLPattern)):
            raise TypeError("left and right must be URLPatterns")
        index = NAMES.index(component)
        a, b = left._components[index].parts, right._components[index].parts
        for k in range(max(len(a), len(b))):
            one = _order(a[k]) if k < len(a) else _NOTHING
            other = _order(b[k]) if k < len(b) else _NOTHING
            if one != other:
                return 1 if one > other else -1
        return 0

    # --- the value ----------------------------------------------------------------------------------

    def _facts(self) -> tuple[Any, ...]:
        return (*[component.pattern for component in self._components], self._ignore_case)

    def __eq__(self, other: object) -> bool:
        return self._facts() == other._facts() if isinstance(other, URLPattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._facts())

    def __reduce__(self) -> tuple[object, ...]:
        given, base = self._input
        return _remade, (dict(given) if isinstance(given, tuple) else given, base, self._ignore_case, self._regexps)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{n}={c.pattern!r}" for n, c in zip(NAMES, self._components, strict=True) if c.pattern != "*"
        )
        return f"URLPattern({shown})"


URLPattern.__module__ = "urlsm.whatwg"


def _remade(given: Any, base: str | None, ignore_case: bool, regexps: Any) -> URLPattern:
    return URLPattern(given, base, ignore_case=ignore_case, regexps=regexps)


def _text(given: Any) -> Any:
    """Return a URL as a str, and any other value unchanged."""
    return given.href if isinstance(given, (URL, MutableURL)) else given


def _matches(component: Component, text: str) -> bool:
    return component.program.matches(text)


def _order(part: Part) -> tuple[Any, ...]:
    return part.kind, MODIFIERS.index(part.modifier), part.prefix, part.value, part.suffix


# an empty fixed text, which compare_component puts in place of a missing part
_NOTHING = (FIXED, MODIFIERS.index(""), "", "", "")


def components_of(
    given: str | Mapping[str, str], base: Any, ignore_case: bool, regexps: bool | str
) -> tuple[Component, ...]:
    """Return the components of a URLPattern. TypeError: the pattern is not valid. ValueError: regexps is not True,
    False or "re"."""
    if regexps not in (True, False, "re"):
        raise ValueError(f"regexps must be True, False or 're', not {regexps!r}")
    try:
        return _made(given, _text(base), ignore_case, regexps)
    except (PatternError, TypeError) as error:  # a PatternError says that the program is too large
        raise TypeError(shortened(getattr(error, "message", "") or str(error))) from None


def _made(
    given: str | Mapping[str, str], base: str | None, ignore_case: bool, regexps: bool | str
) -> tuple[Component, ...]:
    """#urlpattern-create"""
    if isinstance(given, str):
        init = parse_constructor_string(scalar_values(given), _is_special)
        if base is None and "protocol" not in init:
            raise TypeError(f"the pattern {given!r} is relative, and no base was given")
        if base is not None:
            init["baseURL"] = scalar_values(base)
    else:
        if base is not None:
            raise TypeError("give the base in the mapping of components, as baseURL")
        init = _scalars(given)
    read = process_init(init, True, {})
    if (own := SPECIAL.get(read.get("protocol", ""))) and read.get("port") == str(own):
        read["port"] = ""
    text = [read.get(name, "*") for name in NAMES]
    protocol = _component(text[0], 0, False, regexps)
    encoders = list(range(len(NAMES)))
    if _is_in_brackets(text[3]):
        encoders[3] = canonical.IPV6
    if not _has_special(protocol):
        encoders[5] = canonical.OPAQUE_PATHNAME
    others = [_component(text[k], encoders[k], ignore_case, regexps) for k in range(1, len(NAMES))]
    return (protocol, *others)


_usual = lru_cache(64)(compile_component)


def _component(text: str, which: int, ignore_case: bool, regexps: bool | str) -> Component:
    """Return compile_component's result. The patterns "*", "" and "https" are the most frequent, and compiled only
    once."""
    if text in ("*", "", "https"):
        return _usual(text, which, ignore_case)
    return compile_component(text, which, ignore_case, regexps)


def _has_special(protocol: Component) -> bool:
    fixed = protocol.fixed_text
    if fixed is not None:
        return fixed in SPECIAL
    return any(protocol.program.matches(scheme) for scheme in SPECIAL)


@lru_cache(64)
def _is_special(protocol: str) -> bool:
    """#compute-protocol-matches-a-special-scheme-flag"""
    return _has_special(compile_component(protocol, 0))


def _is_in_brackets(text: str) -> bool:
    """#hostname-pattern-is-an-ipv6-address"""
    return len(text) > 1 and (text[0] == "[" or text[:2] in ("{[", "\\["))


def _scalars(init: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for name in (*NAMES, "baseURL"):
        value = init.get(name)
        if value is not None:
            found[name] = scalar_values(_text(value) if name == "baseURL" else value)
    return found


def _stripped(init: Mapping[str, str]) -> dict[str, str]:
    """Return the components without the delimiters that may be written with them (#process-protocol-for-init,
    #process-search-for-init, #process-hash-for-init)."""
    found = dict(init)
    if "protocol" in found:
        found["protocol"] = found["protocol"].removesuffix(":")
    if "search" in found:
        found["search"] = found["search"].removeprefix("?")
    if "hash" in found:
        found["hash"] = found["hash"].removeprefix("#")
    return found


def process_init(init: Mapping[str, str], is_pattern: bool, result: dict[str, str]) -> dict[str, str]:
    """Return the components of a mapping (#process-a-urlpatterninit). TypeError: the base is not a URL, or a component
    cannot be normalised."""
    init = _stripped(init)
    if is_pattern and "baseURL" not in init:
        return init
    base = None
    before = ("protocol", "hostname", "port", "pathname", "search", "hash")

    def inherited(text: str) -> str:
        return escape_pattern(text) if is_pattern else text

    if "baseURL" in init:
        base = try_parse(init["baseURL"])
        if base is None:
            raise TypeError(f"the base {init['baseURL']!r} is not a URL")
        if "protocol" not in init:
            result["protocol"] = inherited(base.scheme)
        if not is_pattern and not any(name in init for name in ("protocol", "hostname", "port", "username")):
            result["username"] = base.username or ""
            if "password" not in init:
                result["password"] = base.password or ""
        values = (None, base.host or "", "" if base.port is None else str(base.port), base.path, base.query or "",
                  base.fragment or "")  # fmt: skip
        for k in range(1, 6):
            if not any(name in init for name in before[: k + 1]):
                result[before[k]] = inherited(values[k])  # type: ignore[arg-type]
    for name in NAMES:
        if name == "pathname" or name not in init:
            continue
        value = init[name]
        if not is_pattern:
            scheme = result.get("protocol", "")
            value = canonical.port(value, scheme) if name == "port" else getattr(canonical, name)(value)
        result[name] = value
    if "pathname" in init:
        path = init["pathname"]
        if base is not None and not _is_opaque(base) and not _is_absolute(path, is_pattern):
            directory, slash, _ = inherited(base.path).rpartition("/")
            if slash:
                path = directory + slash + path
        if not is_pattern:
            scheme = result.get("protocol", "")
            path = canonical.pathname(path) if scheme in SPECIAL or not scheme else \
                canonical.opaque_pathname(path)  # fmt: skip
        result["pathname"] = path
    return result


def _is_opaque(url: URL) -> bool:
    return url.host is None and not url.path.startswith("/")


def _is_absolute(path: str, is_pattern: bool) -> bool:
    """#is-an-absolute-pathname"""
    return path[:1] == "/" or (is_pattern and path[:2] in ("\\/", "{/"))


_OF_A_URL: tuple[Callable[[URL], str], ...] = (
    lambda url: url.scheme,
    lambda url: url.username or "",
    lambda url: url.password or "",
    lambda url: url.host or "",
    lambda url: "" if url.port is None else str(url.port),
    lambda url: url.path,
    lambda url: url.query or "",
    lambda url: url.fragment or "",
)


def _texts(given: Any, base: str | None) -> tuple[str, ...] | None:
    """Return the text of each component of a URL or a mapping; None if the str is not a URL, or if no URL can have the
    components in the mapping."""
    if isinstance(given, Mapping):
        if base is not None:
            raise TypeError("give the base in the mapping of components, as baseURL")
        try:
            read = process_init(_scalars(given), False, dict.fromkeys(NAMES, ""))
        except TypeError:
            return None
        return tuple([read[name] for name in NAMES])
    if isinstance(given, MutableURL):
        given = given.href
    elif not isinstance(given, (str, bytes, URL)):
        raise TypeError(f"a URL must be str, bytes, URL or a mapping, not {type(given).__name__}")
    url = given if type(given) is URL and base is None else try_parse(given, base=base)
    if url is None:
        return None
    return tuple([text_of(url) for text_of in _OF_A_URL])
