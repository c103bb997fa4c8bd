"""Defines what is secret in a text, for repr, errors, logs, telemetry, pages, pictures and the shell.

1. A password in the user information of the URL, as any dialect reads it (masking.pyx asks the parser), and of every
URL within the text: ``?u=http://user:password@host/``, ``view-source:``, ``jdbc:``. If the text after "//name:" cannot
   be a port, all of it up to the last "@" is a password: ``postgres://user:pass/word@host/db``. The text between
   ``//host/:`` or ``//host\\:`` and an "@" is a password, too, because a "\\" may be a "/", or a part of the user name;
   and so is the text between ``//user:\\`` and an "@". A port of a database is a password to SQLAlchemy, if "@" follows
   in the path: ``mysql://user:1/2@host`` (SQLALCHEMY).
2. ``user:password@`` after the scheme of an opaque path (sip, acct) or ``;ext=`` of a telephone number, and
   ``user/password@`` of Oracle's JDBC drivers.
3. A user name that has the shape of an access token: TOKEN.
4. The value of a parameter with a secret name (secret_names.py has the table): ``dbPassword``, ``user[password]``,
   ``access_token``, ``X-Amz-Signature``. Further names come from the scheme's handler, from the caller, and from
   SECRETS if the text contains a URL with such a scheme.
5. The user name of ``nats://TOKEN@host`` (TOKEN_USERS), and the password in ``https://user/password@host``, which a
browser makes of ``https://user:\\password@host``. The latter is found if the text before the "/" has no ".", unless a
version follows the "@".

The text is also read with its escapes decoded, three times at most: ``pass%77ord=``, ``?u=http%3A%2F%2Fu%3Apw%40h``.
An authority is not decoded: ``http://u%3Apw@h/`` has only a user name. Other user names, and all other parts, are not
secret.
"""

import re
from functools import lru_cache

from urlsm.errors.secret_names import BESIDE, EVERYDAY, NAMES, SECRETS, SQLALCHEMY, TOKEN_USERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

__all__ = ["TOKEN", "Only", "beside", "is_secret_name", "parameters", "tokens_of_lists", "users"]


class Only(frozenset[str]):
    """Secret names that replace the names in the table, instead of being added to them."""


# the documented shapes of access tokens, each with its source: those of services that host repositories or packages,
# and those of APIs whose keys are used as user names
_SHAPES = (
    (r"(?:gh[pousr]_|github_pat_)\w+", "GitHub, About authentication to GitHub: token formats"),
    (r"[0-9a-f]{40}", "GitHub before 2021, Gitea and Forgejo"),
    (r"gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\w.-]+", "GitLab, Token prefixes"),
    (r"AT(?:BB|CTT3|ATT3)[\w=-]{16,}", "Bitbucket, app passwords and access tokens; Atlassian, API tokens"),
    (r"[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", "Azure DevOps, personal access tokens"),
    (r"npm_[A-Za-z0-9]{16,}", "npm, About access tokens"),
    (r"pypi-[\w-]{16,}", "PyPI, API tokens"),
    (r"rubygems_[0-9a-f]{16,}", "RubyGems, API key scopes"),
    (r"dckr_[op]at_[\w-]{16,}", "Docker, access tokens"),
    (r"hf_[A-Za-z0-9]{16,}", "Hugging Face, User access tokens"),
    (r"xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}", "Slack, Token types"),
    (r"[sr]k_(?:live|test)_\w{10,}", "Stripe, API keys"),
)
ABOUT = {  # for urlsm.about
    "shapes of tokens": {
        "tables": "_SHAPES",
        "source": "the document that each row names",
        "date": "2026-11-22",
        "used_by": "repr, errors, MaskURLs: a user name that is a token",
    },
}
TOKEN = re.compile("|".join([shape for shape, _ in _SHAPES]), re.IGNORECASE)

# "//" at the beginning, or after a character that may precede a URL; or at least one slash after "scheme:" or after
# "http", which loses its ":" when "http:http://" is parsed
_SLASHES = (
    r"[/\\](?:(?<=[A-Za-z0-9+.\-_]:[/\\])|(?<=http[/\\])|(?<=https[/\\])"
    r"|(?<![^\s:\"'(<>=,;&?#\[{|][/\\])[/\\])[/\\]*"
)
_WEB = r"(?<![A-Za-z0-9+.\-])(?:https?|wss?|ftp):"
_USER = re.compile(rf"{_SLASHES}(?P<user>[^\s:/?#\\]*)(?::(?P<password>[^\s/?#\\]*))?@")
_NO_PORT = (  # the text after the ":" is neither a port nor the first port in a list of hosts
    rf"{_SLASHES}(?!\[)(?P<user>[^\s:@/?#\\\"'<>]*):(?![^\s/?#\\]*@)"
    # a port before a "\" has a digit: in "user:\password", the ":" begins a password
    r"(?![0-9]*(?:,[^\s/?#\\@\"'<>]*)?(?:[/?#]|$)|[0-9]+(?:,[^\s/?#\\@\"'<>]*)?\\)"
)
_UNPARSED = re.compile(rf"{_NO_PORT}(?P<password>.*)@", re.DOTALL)
_UNPARSED_IN_TEXT = re.compile(  # in prose, a blank in a password must follow a slash: not "http://host:8080 me@host"
    rf"{_NO_PORT}(?P<password>[^\s\"'<>/?#\\]*[/?#\\][^\r\n\"'<>]*|[^\s\"'<>]*)@"
)
_BEHIND = re.compile(  # "\:password@", which the URL Standard reads as a path, and others as user information
    rf"(?:\A|{_SLASHES}[^\s/?#\\]*)[/\\](?P<user>):(?P<password>[^\s/?#\\]+)@"
)
_WITHOUT_SLASHES = re.compile(  # "https:user:\password@", to which the URL Standard adds the slashes
    rf"{_WEB}(?P<user>[^\s:@/?#\\\"'<>]*):(?P<password>\\[^\s\"'<>]*)@", re.IGNORECASE
)
# matches what the URL Standard's parser makes of "https://user:\\password@host". "//localhost/name@host" is the address
# of a page, and does not match. "//host/name@1.0" is one as well: it matches, and _VERSION then recognises the version.
_WAS_USER = re.compile(
    rf"{_WEB}[/\\]{{2}}(?P<user>(?!localhost[/\\])[^\s:/?#\\.@\[\]\"'<>]+)[/\\]+"
    r"(?P<password>[^\s:/?#\\@\"'<>]+)@",
    re.IGNORECASE,
)
# matches a version, which is hardly ever meant as a host: a last label that is a number makes a host an IPv4 address
# (https://url.spec.whatwg.org/#ends-in-a-number-checker), and a version has fewer than four numbers
_VERSION = re.compile(
    r"v?[0-9]{1,6}(?:\.[0-9]{1,6}){0,2}(?:[-+][\w+-]{1,64}(?:\.[0-9]{1,6}){0,4})?(?:\.?[\s,;)]|[/?#\"'<>]|\.?\Z)",
    re.IGNORECASE,
)
_OF_DATABASE = re.compile(  # a password with a "/"; its length is limited, so that a search takes linear time
    r"://(?P<user>[^\s:@/?#\"'<>]*):(?=(?P<password>[^\s@/?#\"'<>]{0,256}/[^\s@?#\"'<>]{0,256})@)"
)
_DATABASE = re.compile(rf"(?:.*[^A-Za-z0-9+.\-:])?(?:{'|'.join(SQLALCHEMY)})(?:\+\w+)?", re.IGNORECASE | re.DOTALL)
# the beginning of a URL in which a user name without a password is a token. A list of such servers may follow, and
# _ONE_OF_LIST matches the user name of each
_TOKEN_USER = re.compile(rf"(?<![A-Za-z0-9+.\-])(?:{'|'.join(TOKEN_USERS)}):[/\\]{{2}}", re.IGNORECASE)
_ONE_OF_LIST = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.\-]*:?//)?(?P<user>[^\s:/?#\\@]+?)(?:@|%40)")
# "urn:a:b@c" is a name, data: and javascript: hold content, and the schemes of the first group precede another URL
_OPAQUE = re.compile(
    r"(?<![A-Za-z0-9+.\-:/\\@%~_)\]}])(?:(?:jdbc|view-source|blob|feed|filesystem):)*(?!(?:urn|tag|data|javascript):)"
    r"[a-z][a-z0-9+.\-_]*:(?P<user>[^\s:@/?#\\\"'<>=&,;(){}\[\]|]+)(?::(?P<password>[^\s/?#\\\"'<>&]*))?@",
    re.IGNORECASE,
)
_PAIR = re.compile(r":[^\s:@/?#\\\"'<>=&,;(){}\[\]|]+[:@]")  # every match of _OPAQUE contains a match of this
_SIP = re.compile(  # the user may contain any character but ":" and "@", the password any (RFC 3261 section 25.1)
    r"(?<![A-Za-z0-9+.\-])sips?:(?P<user>[^\s:@\"'<>]*):(?![0-9]*(?:[;?]|$))(?P<password>[^\s\"'<>]*)@", re.IGNORECASE
)
_EXTENSION = re.compile(  # matches the extension of a telephone number (RFC 3966)
    r"(?<![A-Za-z0-9+.\-])(?:tel|sms):[^\s:@\"'<>]*;ext=(?P<user>[^\s:@;\"'<>]*):(?P<password>[^\s\"'<>]*)@",
    re.IGNORECASE,
)
_ORACLE = re.compile(
    r"(?<![a-z0-9])(?:thin|oci8?|kprb):(?!//)(?P<user>[^\s/@:\"'<>]*)/(?P<password>\"[^\"\s]*\"(?=@)|[^\s\"'<>]*)@",
    re.IGNORECASE,
)
_DRIVER = re.compile("(?:thin|oci8?|kprb):")
_ALL, _LINE, _WORD = (re.compile(word) for word in (r"(?s:.+)", r"[^\r\n\"'<>]+", r"\S+"))
_UNQUOTED, _OF_PATH = (re.compile(word) for word in (r"[^\s\"'<>]+", r"[^\s\"'<>&/?#\\]+"))
_BLANK = "(?:[\\0- +\\s]|%(?:[01][0-9A-Fa-f]|20|[Cc]2%[Aa]0)){0,64}"
_NAMED = re.compile(rf"(?<![\w.\-\[\]$])(?:\+|%(?:[01][0-9A-Fa-f]|20)){{0,64}}([\w.\-\[\]$]+){_BLANK}=")
# after "?", "&" or "#", a value ends at "&", and a ";" is part of it; elsewhere it ends at either:
# "jdbc:x:y;password=z;a=b"
_VALUE, _VALUE_IN_TEXT = (re.compile(rf"(?:\{{[^}}\s]{{0,256}}\}})?[^&;#{more}]*") for more in ("", r"\s\"<>"))
_IN_QUERY, _IN_QUERY_IN_TEXT = (re.compile(rf"(?:\{{[^}}\s]{{0,256}}\}})?[^&#{more}]*") for more in ("", r"\s\"<>"))
_VALUE_IN_LIST = re.compile(r"[^&;#\s),]*")  # MySQL's (host=h,password=p)

_EDGE = "".join(map(chr, range(0x21))) + "\x7f\xa0"


def is_secret_name(name: str, names: "Collection[str]" = frozenset(), *, everywhere: bool = True) -> bool:
    """Return whether the value of a parameter or field with this name is secret. names: further secret names, in lower
    case; an Only replaces the names in the table. everywhere: whether everyday words also count as secret names. In
    ``user[password][0]`` each word is checked."""
    is_secret = _matcher(names if isinstance(names, frozenset) else frozenset(names), everywhere)
    name = name.lower().strip(_EDGE)
    if is_secret(name) is not None:
        return True
    return "[" in name and any(is_secret(word) for word in re.split(r"[\[\]]+", name) if word)


@lru_cache(64, typed=True)
def _matcher(names: frozenset[str], everywhere: bool) -> "Callable[[str], re.Match[str] | None]":
    """Return a function that matches secret names. The caller's names are tried first, then the names that "!" removes,
    then the names in the table."""
    table = () if isinstance(names, Only) else NAMES if everywhere else NAMES - EVERYDAY
    given, known = ([_pattern(name) for name in sorted(group) if name[:1] != "!"] for group in (names, table))
    out = [_pattern(name[1:]) for name in sorted({*names, *table}) if name[:1] == "!"]
    never = "(?!)"
    return re.compile(
        rf"(?:{'|'.join(given) or never})|(?!(?:{'|'.join(out) or never})\Z)(?:{'|'.join(known) or never})", re.DOTALL
    ).fullmatch


def _pattern(name: str) -> str:
    """Return the regular expression for a name in the table."""
    signs = {"*": ".*", "#": "[0-9]*"}
    pieces = []
    for k, char in enumerate(name):
        if char == "_":
            pieces.append("[-_.]" if "*" in name[max(0, k - 1) : k + 2] else "[-_.]?")
        else:
            pieces.append(signs.get(char) or re.escape(char))
    return "".join(pieces)


def beside(names: "Collection[str]", others: "Iterable[str]") -> "Collection[str]":
    """Return `names`, together with the names that are secret because one of `others` occurs near them."""
    if isinstance(names, Only):
        return names
    found = {name for name, other in BESIDE.items() if other in others}
    return frozenset(names) | found if found else names


def users(text: str, whole: bool) -> "Iterator[re.Match[str]]":
    """Yield the user information found in a text that contains "@", in any order: matches with the groups "user" and
    "password", which may overlap. whole: whether the text is one URL, or a part of one; otherwise it is prose that
    contains URLs."""
    folded = text.lower()
    # no rule finds anything beyond the last "@" of a word, so no search has to go beyond it
    rules: list[tuple[re.Pattern[str], re.Pattern[str]]] = []
    if "/" in text or "\\" in text:
        rules += (
            (_USER, _WORD),
            (_BEHIND, _WORD),
            (_WAS_USER, _WORD),
            (_OF_DATABASE, _WORD),
            (_UNPARSED, _ALL) if whole else (_UNPARSED_IN_TEXT, _LINE),
        )
        if ":\\" in text:
            rules.append((_WITHOUT_SLASHES, _UNQUOTED))
    if _PAIR.search(text) is not None:
        rules.append((_OPAQUE, _OF_PATH))
    if "sip" in folded:
        rules.append((_SIP, _UNQUOTED))
    if ";ext=" in folded:
        rules.append((_EXTENSION, _UNQUOTED))
    if _DRIVER.search(folded) is not None:
        rules.append((_ORACLE, _WORD))
    for rule, word in rules:
        for place in word.finditer(text):
            for found in rule.finditer(text, place.start(), text.rfind("@", *place.span()) + 1):
                start = found.start()
                if rule is _WAS_USER and _VERSION.match(text, found.end()):
                    continue
                if rule is _OF_DATABASE and not _DATABASE.fullmatch(text, max(0, start - 64), start):
                    continue
                yield found


def parameters(
    text: str, names: "Collection[str]", whole: bool, places: "Iterable[tuple[int, int]]"
) -> "Iterator[tuple[int, int]]":
    """Yield the spans (start, end) of the values of parameters with secret names, in order.

    names: as in is_secret_name. places: spans (start, end) in which names that may be secret begin. Each span ends with
    the only "=" in it.
    """
    folded = text.lower()
    for scheme, own in SECRETS.items():
        if f"{scheme}:" in folded:
            names = (Only if isinstance(names, Only) else frozenset)({*own, *names})
    end = 0
    query, other = (_IN_QUERY, _VALUE) if whole else (_IN_QUERY_IN_TEXT, _VALUE_IN_TEXT)
    near = _Near(text, whole)
    for place in places:
        found = _NAMED.search(text, *place)
        if found is None or found.start() < end:
            continue
        start = found.start()
        before = text[start - 1] if start else ""
        if not is_secret_name(
            found[1],
            near.names(names, found) if found[1].lower() in BESIDE else names,
            everywhere=whole or before in ("?", "&", "#", ";"),
        ):
            continue
        held = (_VALUE_IN_LIST if before in ("(", ",") else query if before in ("?", "&", "#") else other).match(
            text, found.end()
        )
        if held:
            end = held.end()
            yield held.span()


class _Near:
    """Tells which names are secret only because a certain other name occurs near them: anywhere in the text if it is a
    URL, otherwise in the same word of running text."""

    def __init__(self, text: str, whole: bool) -> None:
        self._text, self._start, self._end = text, 0, len(text) if whole else 0
        self._others: set[str] | None = None

    def names(self, names: "Collection[str]", found: "re.Match[str]") -> "Collection[str]":
        if found.start() >= self._end:
            word = _WORD.match(self._text, found.start(1))
            self._start, self._end, self._others = self._end, word.end() if word else found.end(), None
            blank = max(self._text.rfind(sign, self._start, found.start()) for sign in " \t\r\n")
            self._start = max(self._start, blank + 1)
        if self._others is None:
            self._others = {
                one[1].lower()
                for one in _NAMED.finditer(self._text, self._start, self._end)
                if one[1].lower() in BESIDE.values()
            }
        return beside(names, self._others)


def tokens_of_lists(text: str) -> "Iterator[tuple[int, int]]":
    """Yield the spans of user names without a password in lists of servers."""
    end = 0
    for head in _TOKEN_USER.finditer(text):
        if head.start() < end:
            continue
        place = head.end()
        listed = _UNQUOTED.match(text, place)
        for entry in listed[0].split(",") if listed else ():
            one = _ONE_OF_LIST.match(entry)
            if one is not None:
                yield place + one.start("user"), place + one.end("user")
            place += len(entry) + 1
        end = place
