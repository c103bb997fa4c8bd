"""For servers: checks whether a redirect is safe, and whether a reference stays below a base, in every dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import category

from urlsm.components.parts import decode
from urlsm.components.value import resolve, split
from urlsm.errors import ParseError
from urlsm.errors.excerpt import meant
from urlsm.machine.driver import SPECIAL
from urlsm.octets.text import deciding
from urlsm.security.comparison import (
    EDGE,
    READERS,
    View,
    is_ambiguous,
    names_too_long,
    readers_named,
    see,
    text_of,
)
from urlsm.security.disguise import climbs, first_suspects, leads_outside
from urlsm.security.plain import (
    checked_hosts,
    host_list,
    is_plainly_safe,
    joined_plainly,
    scalars,
    texts_of,
)
from urlsm.security.verdict import UrlSet, Verdict
from urlsm.url.value import base_of, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.patterns.sets import PatternSet
    from urlsm.url.value import URL, StrOrURL

__all__ = ["check_redirect", "safe_join"]

_SCHEMES = ("http", "https")
_PASSES = 4  # how often escapes are decoded; a path that has escapes even after that is refused
_LONGEST_AUTHORITY = 0x2000  # characters of scheme and authority; many servers refuse request lines that are longer
# characters; if base and reference have more together, safe_join does not resolve them in each dialect, but refuses
# them, unless the reference is certainly below the base
_LONGEST_DETOUR = 0x40000
_FURTHER_CONTROLS = re.compile("[\x80-\x9f\u2028\u2029]")  # some readers, like str.splitlines, take these for line ends
# if a path has none of these, no reader sees two slashes at its beginning, even after decoding ("/%09/" becomes "//" if
# the tab is dropped)
_SLASHES = re.compile(r"//|\\|%(?:2f|5c|0[9ad])", re.IGNORECASE)
_ONE_SLASH = re.compile(r"/(?![/\\])")
_ROOT = "https://root.invalid"
# matches a first segment with a ":" that does not end a scheme (RFC 3986 section 3.1). Such a path means the same with
# "./" before it (section 4.2). If a slash follows the ":", readers disagree: some take any text before "://" for a
# scheme
_NO_SCHEME = re.compile(r"(?![A-Za-z][A-Za-z0-9+.-]*:)[A-Za-z0-9._~!$&'()*+,;=@-]+:(?![/\\])")
_SCHEME = re.compile(r"[\0- ]*[A-Za-z][A-Za-z0-9+.-]*:")
_TWO_SLASHES = re.compile(r"[\0- ]*[/\\]{2}")
_COLONS = re.compile(":|%3a", re.IGNORECASE)
_STEPS = re.compile(r"(?:\.\.?/)*")
_EMPTY = re.compile(r"(?:\.{0,2}[/\\]+)*")
_ESCAPED_DOT = re.compile("%2e", re.IGNORECASE)
_DROPPED = re.compile(r"[\t\n\r]")  # the URL Standard and urllib.parse drop these everywhere
# matches if every reader sees a single slash at the beginning, so that there is no authority
_PATH = re.compile(r"[\0- ]*/(?![/\\\t\n\r])")
_SPLITS = re.compile(r"[\\\t\n\r\0]")  # octets that make the dialects read a path differently


def check_redirect(
    target: StrOrURL,
    *,
    base: StrOrURL,
    allowed_hosts: Iterable[str] | PatternSet = (),
    readers: Iterable[str] | None = None,
) -> Verdict:
    """Check whether redirecting to `target` keeps the user on your site and, if not, say why (open redirect, CWE-601).

    The Verdict contains the first code that applies: "too-long", "surrogate", "control-character", "edge" (a character
    at the beginning or end that some programs drop), "ambiguous" (parsers disagree about the host), "double-slash" and
    "colon" (a program may find a host or a scheme in the path), "scheme-not-allowed", "host-not-allowed", "credentials"
    or "host-not-normal".

    Args:
        target: the value of the Location header, absolute or relative.
        base: your server's own URL.
        allowed_hosts: other hosts to allow, as for `is_safe_redirect`.
        readers: further programs that must see the same origin, as for `is_safe_redirect`.

    Raises:
        ParseError: `base` is not a URL.
        TypeError: `target` or `base` is not str, bytes or URL, or `allowed_hosts` or `readers` is a str.
        HostEntryError: an allowed host is "*", or can never match.
        ValueError: `allowed_hosts` is a block list, or a reader is unknown.

    Example:
        >>> check_redirect("https://evil.example/", base="https://good.example/").codes
        ('host-not-allowed',)
        >>> check_redirect("https://cdn.example/", base="https://good.example/", allowed_hosts=["cdn.example"]).allowed
        True

    RFC 3986 section 7.6; https://url.spec.whatwg.org/#security-considerations
    """
    further = named_readers(readers)
    allowed_hosts = checked_hosts(allowed_hosts)
    plainly = is_plainly_safe(target, base, allowed_hosts)
    if plainly is None or not (plainly or _has_one_fault(target)):
        code = refusal(target, base, allowed_hosts)
    else:
        code = "" if plainly else "host-not-allowed"
    if not code and further and not is_read_alike(target, base, further):
        code = "ambiguous"
    return _VERDICTS[code]


def named_readers(readers: Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of further readers. An unknown one is an error, whatever the target is."""
    if readers is None:
        return ()
    return tuple(readers_named(readers))


def is_read_alike(target: StrOrURL, base: StrOrURL, readers: tuple[str, ...]) -> bool:
    """Return whether these programs see the origin that a browser sees, in the target as each dialect resolves it and,
    if it has a scheme, as it is written."""
    whole = text_of(target)
    texts = {resolver(whole, base=text_of(base)) for _, resolver in READERS.values()}
    if _SCHEME.match(whole):
        texts.add(whole)
    return not any(is_ambiguous(text, readers=(*readers, "whatwg")) for text in texts)


def _has_one_fault(target: StrOrURL) -> bool:
    """Return whether a target with an ordinary authority breaks only the rule "host-not-allowed". The earlier rules of
    check_redirect refuse such a target only for certain characters, or for a second "//"."""
    if type(target) is not str or not target.isascii() or not target.isprintable() or " " in target:
        return False
    return not _SLASHES.search(target, target.find("//") + 2)


_MESSAGES = {
    "": "",
    "too-long": "the host, or the part of the URL before the path, is too long for most servers",
    "surrogate": "the URL contains a lone surrogate, which cannot be sent",
    "control-character": "the target contains a control character, which programs may drop or read as a line break",
    "edge": "the target begins or ends with a character that some programs drop",
    "ambiguous": "URL parsers disagree about the host of the target",
    "double-slash": "a program may read a host in the path of the target",
    "colon": "a program may read a scheme in the path of the target",
    "scheme-not-allowed": "the target must have the scheme http or https",
    "host-not-allowed": "the target is on another origin and not in allowed_hosts",
    "credentials": "the target contains a user name or password",
    "host-not-normal": "the host of the target is not in normal form",
}
_VERDICTS = {
    code: Verdict(not code, codes=(code,) if code else (), message=message) for code, message in _MESSAGES.items()
}


def refusal(target: StrOrURL, base: StrOrURL, allowed_hosts: Iterable[str] | PatternSet) -> str:
    """Judge a redirect as each dialect reads it. Return a key of _MESSAGES, or "" if the redirect is safe."""
    if isinstance(allowed_hosts, UrlSet) and "" in allowed_hosts:  # a block list holds every text that is not a URL
        raise ValueError("allowed_hosts must be an allow-list, but this PatternSet is a block list")
    target, base = text_of(target), text_of(base, "base")
    start = deciding(base)
    if _is_too_long(start) or names_too_long(start):
        return "too-long"
    if _has_surrogate(base):
        return "surrogate"
    home = base_of(base)
    if _is_too_long(deciding(target)):
        return "too-long"
    if unclean := uncleanness(target):
        return unclean
    if _NO_SCHEME.match(target):
        target = f"./{target}"
    if is_ambiguous(target):
        return "ambiguous"
    if not _begins_with_one_slash(target, home):
        return "double-slash"
    if hidden := _hidden(target):
        return hidden
    whole, target, base = target, deciding(target), start
    origins, stays, resolved = set(), True, {}
    known: dict[str, dict[object, object]] = {base: {}}  # for each text, the cache of what the readers found in it
    for dialect, (_, resolver) in READERS.items():
        try:
            text = resolved[dialect] = resolver(target, base=base)
            view = see(dialect, text, known.setdefault(text, {}))
        except ValueError:
            return "ambiguous"
        if view.scheme not in _SCHEMES or view.host is None:
            return "scheme-not-allowed"
        origins.add(_origin(view))
        stays = stays and _origin(view) == _origin(see(dialect, base, known[base]))
    if not stays:
        if len(origins) != 1:
            return "ambiguous"
        if isinstance(allowed_hosts, UrlSet):
            if any(
                text not in allowed_hosts for text in {resolver(whole, base=base) for _, resolver in READERS.values()}
            ):
                return "host-not-allowed"
        elif not _is_allowed(*origins.pop(), allowed_hosts):
            return "host-not-allowed"
    written = split(resolved["rfc3986"], dialect="rfc3986")
    if written.authority == split(base, dialect="rfc3986").authority:
        return ""
    if written.userinfo is not None:
        return "credentials"
    host = written.host or ""  # a host beyond ASCII is in normal form, because target would be ambiguous otherwise
    return "" if not host.isascii() or host.lower() == view.host else "host-not-normal"


def _is_too_long(start: str) -> bool:
    """Return whether a text's scheme and authority together are longer than servers accept. start: the result of
    deciding(text)."""
    return len(start) > _LONGEST_AUTHORITY and not _PATH.match(start)


def _is_trimmed(char: str) -> bool:
    """Return whether some reader removes a character at the ends of a text: white space, or a format, private-use or
    unassigned character."""
    return char.isspace() or category(char)[0] == "C"


def _trimmed(text: str) -> str:
    """Return the text without the characters at its beginning that some reader removes."""
    return text[next((k for k, char in enumerate(text) if not _is_trimmed(char)), len(text)) :]


def uncleanness(target: str) -> str:
    """Return the code for a target that has a control character or a lone surrogate, or that begins or ends with a
    character that some readers remove. Return "" for any other target."""
    if any(map(_is_trimmed, target[:1] + target[-1:])):
        return "edge"
    if first_suspects(target, 0, len(target))[1] >= 0 or _FURTHER_CONTROLS.search(target):
        return "control-character"
    return "surrogate" if _has_surrogate(target) else ""


def _has_surrogate(text: str) -> bool:
    """Return whether the text has a lone surrogate, which cannot be sent."""
    return scalars(text) is not text


def _begins_with_one_slash(target: str, home: URL) -> bool:
    """Return whether, to every reader, target leads to a path that begins with one slash, not followed by another slash
    or a backslash. A target with an empty path passes, because it keeps the server's own path."""
    if not _SLASHES.search(target) and not _SLASHES.search(home.path):
        return True
    path = split(target, dialect="rfc3986").path
    if not path:
        return True
    alone = f"/{path[1:]}" if path[0] == "\\" else path  # the path as the URL Standard reads it, before normalisation
    if path[0] != "/":
        path = f"{home.path.rpartition('/')[0]}/{path}"
    try:
        written = home.join(target).path  # RFC 3986 finds another path if target begins with a backslash
        if not _SLASHES.search(path) and not _SLASHES.search(written):
            return True
        forms = _with_dots((path, written, *([alone] if alone[0] == "/" else [])))
        removed = _with_dots(read for form in forms for read in _paths_of(form))
        decoded = {form: decode(form).replace("?", "%3F").replace("#", "%23") for form in removed}.values()
        twice = _with_dots(text for form in decoded for text in (form, _DROPPED.sub("", form)))
        return all(map(_ONE_SLASH.match, removed)) and all(
            _ONE_SLASH.match(read) for form in twice for read in _paths_of(form)
        )
    except ValueError:  # the result is not a URL, or it becomes "//" without a host when tabs are dropped
        return False


def _hidden(target: str) -> str:
    """Return "double-slash" or "colon" if a program that normalises or decodes a relative path before it resolves the
    path would find a host or a scheme in it; otherwise ""."""
    if not _SLASHES.search(target) and not _COLONS.search(target):
        return ""
    read = split(target, dialect="rfc3986")
    path = read.path or ""
    if read.scheme is not None or read.authority is not None or path[:1] in ("", "/"):
        return ""
    if not _SLASHES.search(path) and not _COLONS.search(path):
        return ""
    alone = _with_dots(form for text in _with_dots((path,)) for form in _alone(text))
    decoded = _with_dots(_DROPPED.sub("", decode(text)).replace("?", "%3F").replace("#", "%23") for text in alone)
    for form in {**alone, **dict.fromkeys(form for text in decoded for form in _alone(text))}:
        form = _trimmed(form)
        if _TWO_SLASHES.match(form) or form.startswith(_ROOT[:8]):  # `form` leads to another host
            return "double-slash"
        if _SCHEME.match(form):
            return "colon"
    return ""


def _alone(path: str) -> Iterator[str]:
    """Yield the forms that a relative path may have after its dot segments are removed. By RFC 3986 section 5.2.4, the
    dot segments at its beginning vanish, and "x/../" leaves a "/". Other programs also remove that "/":
    posixpath.normpath turns ".//x:y" into "x:y"."""
    path = path[_STEPS.match(path).end() :]  # type: ignore[union-attr]
    if path[:1] in ("/", "\\"):
        yield path
        path = path[_EMPTY.match(path).end() :]  # type: ignore[union-attr]
    for text in _paths_of(f"/{path}"):
        yield from (text, text[1:]) if text[:1] == "/" else (text,)


def _with_dots(paths: Iterable[str]) -> dict[str, None]:
    """Return each path once, both unchanged and with each "%2e" replaced by "."."""
    return {form: None for path in paths for form in (path, _ESCAPED_DOT.sub(".", path))}


def _paths_of(path: str) -> Iterator[str]:
    """Yield the path, and the results of removing its dot segments in different ways. At the beginning of a path,
    urljoin agrees with RFC 3986; posixpath.normpath and Go's path.Clean agree with RFC 3986 after slashes are
    merged."""
    yield path
    # if two slashes meet after tabs are dropped, the result has another host than _ROOT, and stays a whole URL
    yield resolve(path, base=_ROOT).removeprefix(_ROOT)
    yield resolve(path, base=_ROOT, dialect="rfc3986").removeprefix(_ROOT)
    yield resolve(re.sub("//+", "/", path), base=_ROOT, dialect="rfc3986").removeprefix(_ROOT)


def _origin(view: View) -> tuple[str | None, str | None, int | str | None]:
    return view.scheme, view.host, SPECIAL.get(view.scheme or "") if view.port is None else view.port


def _is_allowed(scheme: str | None, host: str | None, port: int | str | None, allowed_hosts: Iterable[str]) -> bool:
    if host is None or isinstance(port, str) or host.endswith("."):  # a host with a dot at its end is another origin
        return False
    return host_list(texts_of(allowed_hosts, "allowed_hosts"), False).holds(
        host, port, port == SPECIAL.get(scheme or "")
    )


def safe_join(base: StrOrURL, ref: StrOrURL) -> URL:
    """Resolve `ref` against `base`, and raise an error if the result leaves the directory of `base` (path traversal).

    The URL must stay there as every parser reads it. It must also stay there for programs that then decode the path,
    even several times, or that treat backslashes, ";" or ignorable characters in their own way. A path that leaves the
    directory for any of them is rejected, even if it returns. It is also rejected if, for any of them, the part after
    the directory begins with a slash, a backslash or a drive ("C:").

    Args:
        base: the URL of a directory or document; anything after its last "/" is ignored.
        ref: an untrusted relative path or URL.

    Returns:
        The URL, in the URL Standard's normal form.

    Raises:
        ValueError: the URL leaves the directory of `base`, cannot be sent, or is too long.
        ParseError: `base` or `ref` is not a URL.
        TypeError: `base` or `ref` is not str, bytes or URL.

    Example:
        >>> safe_join("https://good.example/files/", "a/b.txt")
        URL('https://good.example/files/a/b.txt')
        >>> safe_join("https://good.example/files/", "%2e%2e/etc")
        Traceback (most recent call last):
        ValueError: the URL leaves the base directory (as whatwg reads it)

    CWE-22, CWE-36, CWE-918; RFC 3986 sections 5.2 and 7.3
    """
    joined = joined_plainly(base, ref)
    return parse(_join(base, ref) if joined is None else joined)


def _join(base: StrOrURL, ref: StrOrURL) -> str:
    """Return safe_join(base, ref), found by resolving ref in each dialect."""
    base, ref = text_of(base, "base"), text_of(ref, "ref")
    if _has_surrogate(base) or _has_surrogate(ref):
        raise ValueError("the URL contains a lone surrogate, which cannot be sent")
    for start in (deciding(base), deciding(ref)):
        if _is_too_long(start) or names_too_long(start):
            raise ValueError("the host, or the part of the URL before the path, is too long for most servers")
    try:
        joined = resolve(ref, base=base)
    except ParseError as error:
        if error._role == "base":
            is_path = not (base.startswith("//") or meant(base))
            error.hint = "; for files, use pathlib: (base / ref).resolve().is_relative_to(base)" if is_path else ""
        raise
    if _NO_SCHEME.match(ref):
        ref = f"./{ref}"
    base, ref = _to_path(base), _to_path(ref)
    if not _is_below(base, ref):
        if len(base) + len(ref) > _LONGEST_DETOUR:
            raise ValueError('the URL is too long to check: only a relative path without ".." may be this long')
        _follow(base, ref)
    return joined


def _to_path(text: str) -> str:
    """Return the text up to and including the "?" or "#" after its path. What follows, a query or a fragment, does not
    matter."""
    end = re.search("[?#]", text)
    return text if end is None else text[: end.end()]


def _is_below(base: str, ref: str) -> bool:
    """Return whether ref is certainly a relative path that stays below base in every dialect."""
    if deciding(ref) or "\0" in ref or _SPLITS.search(base) or is_ambiguous(base):
        return False
    directory = (split(base, dialect="rfc3986").path or "").rpartition("/")[0]
    return not leads_outside(ref.strip(EDGE).rstrip("?#"), _PASSES) and not climbs(directory, _PASSES)


def _follow(base: str, ref: str) -> None:
    """Resolve ref in each dialect. ValueError: the result leaves the origin or the directory of base in one of them."""
    # maps each directory to the first dialect that found it; rests does the same for the texts after the directories
    directories: dict[str, str] = {}
    rests: dict[str, str] = {}
    for dialect, (_, resolver) in READERS.items():
        home, there = _seen(dialect, base), _seen(dialect, resolver(ref, base=base))
        if there.scheme is None and home.scheme is not None:
            continue  # urllib did not resolve ref, because it does not know the scheme
        if (there.scheme, there.host, there.port) != (home.scheme, home.host, home.port):
            raise ValueError(f"the URL leaves the origin of the base (as {dialect} reads it)")
        path, directory = there.path or "", (home.path or "").rpartition("/")[0] + "/"
        if not path.startswith(directory):  # path still has dot segments, or is empty
            directory = _seen(dialect, resolver(".", base=base)).path or ""
        if not path.startswith(directory):
            raise ValueError(f"the URL leaves the base directory (as {dialect} reads it)")
        directories.setdefault(directory, dialect)
        rests.setdefault(path[len(directory) :], dialect)
    for part, dialect in (*directories.items(), *rests.items()):
        if climbs(part, _PASSES):
            raise ValueError(f"the URL leaves the base directory (as {dialect} reads it)")
    for rest, dialect in rests.items():
        if leads_outside(rest, _PASSES):
            raise ValueError(f"the path after the base begins like an absolute path (as {dialect} reads it)")


def _seen(dialect: str, text: str) -> View:
    view = see(dialect, text)
    if view.refusal is not None:
        raise ValueError(f"the URL is invalid (as {dialect} reads it): {view.refusal}")
    return view
