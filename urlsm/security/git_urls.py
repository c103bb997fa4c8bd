"""For programs that clone repositories: checks whether a URL from a user is safe to give to git."""

from __future__ import annotations

import re
from collections.abc import Iterable

from urlsm.machine.driver import SPECIAL
from urlsm.security.comparison import compare_readers, is_ambiguous, text_of
from urlsm.security.disguise import first_suspects
from urlsm.security.plain import canonical_host, checked_hosts, host_list, texts_of
from urlsm.security.redirects import uncleanness
from urlsm.security.verdict import UrlSet, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.patterns.sets import PatternSet
    from urlsm.url.value import StrOrURL

__all__ = ["check_git_url"]

# the transports that come with git, with their default ports; ext and fd are left out, because they run commands
_PORTS = {"file": None, "ftp": 21, "ftps": 990, "git": 9418, "http": 80, "https": 443, "ssh": 22}
ABOUT = {  # for urlsm.about
    "git transports": {
        "tables": "_PORTS",
        "source": "git-clone(1), git-config(1)",
        "url": "https://git-scm.com/docs/git-clone",
        "date": "2026-11-26",
        "used_by": "check_git_url",
    },
}
_ALLOWED = ("git", "http", "https", "ssh")  # git-config(1), protocol.allow: those that git always allows
_CURL = ("ftp", "ftps", "http", "https")  # git asks libcurl, which reads the URL again
_HELPER = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*::")
_RELATIVE = re.compile(r"\.\.?/")
_STEPS = re.compile(r"(?:\.\.?/)+")
_DRIVE = re.compile(r"[A-Za-z]:")
_FOLDER = re.compile(r"[/:]-[^/:]*(?:/+\.git)?/*\Z")  # a last component that names the folder of the clone, "-x"
# OpenSSH expands these in commands of its configuration: other characters may reach a shell (CVE-2023-51385)
_USER = re.compile(r"[A-Za-z0-9_.+~-]+")
_PORT = re.compile(r"[0-9]{1,5}")
_HOST = re.compile(r"[a-z0-9_.-]*[a-z0-9_-]|\[[0-9a-f:.]+\]")

_MESSAGES = {
    "": "",
    "surrogate": "the URL contains a lone surrogate, which cannot be sent",
    "control-character": "the URL contains a control character, which git and its helpers may read as a line break",
    "edge": "the URL begins or ends with a character that some programs drop",
    "option": "git, ssh or a later command may read a part of the URL as an option",
    "remote-helper": "git runs a helper program for this address, and ext:: runs any command",
    "climbs": "the relative URL leaves the host of the repository that contains it",
    "local-path": "git reads the URL as a path on this machine, and runs in the repository that it finds there",
    "scheme-not-allowed": "the scheme is not in allowed_schemes",
    "path-missing": "the URL has no path",
    "host-missing": "the URL has no host",
    "credentials": "the URL contains a password, or a user name that is not for ssh",
    "user-not-normal": "the user name contains characters that ssh or a shell may interpret",
    "host-not-normal": "the host is not in normal form, or contains characters that ssh or a shell may interpret",
    "ambiguous": "git and other programs disagree about the host or port of the URL",
    "query": "the URL has a query or fragment, which swallows the path that git adds to its requests",
    "host-not-allowed": "the host is not in allowed_hosts",
}
_VERDICTS = {
    code: Verdict(not code, codes=(code,) if code else (), message=message) for code, message in _MESSAGES.items()
}


def check_git_url(
    url: StrOrURL,
    *,
    allowed_schemes: Iterable[str] = _ALLOWED,
    allowed_hosts: Iterable[str] | PatternSet | None = None,
    base: StrOrURL | None = None,
) -> Verdict:
    """Check whether a URL that a user sends is safe as the repository of `git clone` or as the URL of a submodule.

    The URL is read as git reads it: as an option, a helper's address, a URL, the short form of ssh ("git@host:path",
    which counts as the scheme "ssh"), or a path. No name is resolved, and redirects of the server are not seen: the
    page "Validate untrusted URLs" says which options git still needs. The Verdict contains the first code that applies:
    "surrogate", "control-character", "edge", "option" ("--upload-pack=x", "ssh://-oProxyCommand=x/"), "remote-helper"
    ("ext::sh"), "climbs", "local-path", "scheme-not-allowed", "path-missing", "host-missing", "credentials",
    "user-not-normal", "host-not-normal", "ambiguous", "query" or "host-not-allowed".

    Args:
        url: the argument for git, or the URL of a submodule in .gitmodules.
        allowed_schemes: any of "file" (also allows paths), "ftp", "ftps", "git", "http", "https" and "ssh".
        allowed_hosts: the hosts to allow, as for `is_safe_redirect`; an entry without a port allows the default port of
            the scheme. None: all hosts, private addresses included.
        base: the URL of the repository that contains the submodule. A URL that begins with "./" or "../" is resolved
            against it, as git does; without `base`, it is a path.

    Raises:
        TypeError: `url` or `base` is not str, bytes or URL, or `allowed_schemes` or `allowed_hosts` is a str.
        ValueError: a scheme is none of git's, an allowed host is "*" or can never match, or `allowed_hosts` is a block
            list.

    Example:
        >>> check_git_url("git@good.example:team/project.git", allowed_hosts=["good.example"]).allowed
        True
        >>> check_git_url("--upload-pack=touch x").codes, check_git_url("ext::sh -c id").codes
        (('option',), ('remote-helper',))

    git-clone(1), "GIT URLS"; gitmodules(5); CWE-88; CVE-2017-1000117, CVE-2018-17456, CVE-2020-5260, CVE-2025-48384
    """
    schemes = set(texts_of(allowed_schemes, "allowed_schemes"))
    if not schemes <= _PORTS.keys():
        unknown = ", ".join(sorted(schemes - _PORTS.keys()))
        raise ValueError(f"allowed_schemes contains {unknown!r}; the schemes of git are {', '.join(_PORTS)}")
    hosts = None if allowed_hosts is None else checked_hosts(allowed_hosts)
    if isinstance(hosts, UrlSet) and "" in hosts:  # a block list holds every text that is not a URL
        raise ValueError("allowed_hosts must be an allow-list, but this PatternSet is a block list")
    text, parent = text_of(url), None if base is None else text_of(base, "base")
    return _VERDICTS[_refusal(text, parent, schemes, hosts)]


def _refusal(text: str, base: str | None, schemes: set[str], hosts: Iterable[str] | PatternSet | None) -> str:
    """Return a key of _MESSAGES, or "" if the URL is safe."""
    if unclean := _uncleanness(text):
        return unclean
    if base is not None and _RELATIVE.match(text):
        resolved = _resolved(text, base)
        if resolved is None:
            return "climbs"
        text = resolved
        if unclean := _uncleanness(text):
            return unclean
    if text[:1] == "-" or _FOLDER.search(text):
        return "option"
    if _HELPER.match(text):
        return "remote-helper"
    found = compare_readers(text, readers=["git"]).views["git"]
    scheme, host = found.scheme, found.host
    if found.refusal == "scheme":
        return "scheme-not-allowed"
    if found.refusal is not None:  # git demands a path after ssh://, and blocks options for ssh and the other git
        return "path-missing" if found.refusal == "path" and ("://" in text or not text) else "option"
    if scheme in (None, "file") or _DRIVE.match(text):
        return "" if "file" in schemes else "local-path"
    if scheme not in schemes:
        return "scheme-not-allowed"
    if not host:
        return "host-missing"
    user, colon, _ = (found.userinfo or "").partition(":")
    if host[0] == "-" or user[:1] == "-":
        return "option"
    if colon or (found.userinfo is not None and scheme != "ssh"):
        return "credentials"
    if found.userinfo is not None and not _USER.fullmatch(user):
        return "user-not-normal"
    name = f"[{host}]" if ":" in host and host[0] != "[" else host.lower()
    if not _HOST.fullmatch(name) or canonical_host(name) != name:
        return "host-not-normal"
    written = str(found.port or _PORTS[scheme])
    port = int(written) if _PORT.fullmatch(written) else 0
    if not 0 < port <= 0xFFFF or not _is_read_alike(text, scheme):
        return "ambiguous"
    if scheme in _CURL and ("?" in text or "#" in text):
        return "query"
    if hosts is None:
        return ""
    if isinstance(hosts, UrlSet):
        place = f"{scheme}://{name}{'' if port == _PORTS[scheme] else f':{port}'}/{(found.path or '').lstrip('/')}"
        return "" if place in hosts else "host-not-allowed"
    allowed = host_list(texts_of(hosts, "allowed_hosts"), False)
    return "" if allowed.holds(name, port, port == _PORTS[scheme]) else "host-not-allowed"


def _uncleanness(text: str) -> str:
    """Return the code for a text with a control character, also a percent-encoded one, a lone surrogate or an edge that
    some programs drop; "" for any other text."""
    return uncleanness(text) or ("control-character" if first_suspects(text, 0, len(text))[2] >= 0 else "")


def _is_read_alike(text: str, scheme: str) -> bool:
    """Return whether other programs, and libcurl if git asks it, find the host and port in a URL that git finds."""
    if "://" not in text:  # the short form of ssh, which only git reads; but browsers see a host in "https:h/r"
        name = text.partition(":")[0].lower()
        return name not in _PORTS and name not in SPECIAL
    if is_ambiguous(text):
        return False
    return compare_readers(text, readers=["git", "whatwg", *(["curl"] if scheme in _CURL else [])]).agree_on(
        "refusal", "host", "port"
    )


def _resolved(url: str, base: str) -> str | None:
    """relative_url of git: return a submodule's URL, resolved against that of its repository. None: it does not stay
    with the same user, host and port, or older versions of git would not (CVE-2020-11008)."""
    steps = _STEPS.match(url)
    rest = url[steps.end() :] if steps is not None else url
    start, separator = base.removesuffix("/"), "/"
    for step in steps[0].split("/") if steps is not None else ():
        if step == "..":
            at = start.rfind("/")
            if at < 0:
                at, separator = start.rfind(":"), ":"
            if at < 0:
                return None
            start = start[:at]
    if rest[:1] in ("/", ":"):
        return None
    resolved = (start + separator + rest).removesuffix("/")
    views = [compare_readers(each, readers=["git"]).views["git"] for each in (base, resolved)]
    places = [(view.scheme, view.userinfo, view.host, view.port, view.refusal) for view in views]
    return resolved if places[0] == places[1] else None
