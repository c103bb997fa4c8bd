"""The definition of what is secret in a text, for repr, errors, logs, telemetry, pages, pictures and the shell.

1. A password in user information: in that of the URL, as any dialect reads it (masking.pyx asks the machine), and of
   every URL within the text: ``?u=http://user:password@host/``, ``view-source:``, ``jdbc:``. If the text
   after "//name:" cannot be a port, all up to the last "@" is a password: ``postgres://user:pass/word@host/db``. So is
   the text between ``//host/:`` or ``//host\\:`` and an "@": a "\\" may be a "/", or a part of the user name.
2. ``user:password@`` after the scheme of an opaque path (sip, acct) or ``;ext=`` of a telephone number, and
   ``user/password@`` of Oracle's JDBC drivers.
3. A user name that has the shape of an access token: TOKEN.
4. The value of a parameter with a secret name: ``password``, ``dbPassword``, ``user[password]``, ``password2``,
   ``password_confirmation``, ``file_pwd``; NAMES; what a scheme's handler declares, or a caller asks for; SECRETS,
   where a URL of such a scheme is in the text. Case does not count.

The text is also read with its escapes decoded, three times at most: ``pass%77ord=``, ``?u=http%3A%2F%2Fu%3Apw%40h``.
An authority is not: ``http://u%3Apw@h/`` has a user name. Other user names are not secret, nor is any other part.
"""

import re
from bisect import bisect_left, bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["NAMES", "is_secret_name", "is_token", "stated"]

# OAuth 2.0 (RFC 6749); libpq's and MongoDB's connection options; IMAP's URLAUTH (RFC 4467); ODBC's keyword.
# harmless.pxd knows how the secret words in these begin.
NAMES = frozenset(
    (
        *("access_token", "refresh_token", "client_secret"),
        *("oauth_client_secret", "scram_client_key", "scram_server_key", "authmechanismproperties"),
        *("urlauth", "urlauth_token", "pwd"),
    )
)
_PASSWORD = re.compile(r"password(?:[_-]?confirm(?:ation)?)?[0-9]*\Z|_pwd\Z")

# The documented shapes of tokens of hosts of repositories and packages, and of APIs whose user name is a key.
TOKEN = re.compile(
    r"(?:gh[pousr]_|github_pat_)\w+"  # GitHub: "About authentication to GitHub", token formats
    r"|[0-9a-f]{40}"  # GitHub before 2021, Gitea and Forgejo
    r"|gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\w.-]+"  # GitLab: "Token prefixes"
    r"|AT(?:BB|CTT3|ATT3)[\w=-]{16,}"  # Bitbucket: app passwords, access tokens; Atlassian: API tokens
    r"|[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"  # Azure DevOps: personal access tokens
    r"|npm_[A-Za-z0-9]{16,}|pypi-[\w-]{16,}|rubygems_[0-9a-f]{16,}|dckr_[op]at_[\w-]{16,}|hf_[A-Za-z0-9]{16,}"
    r"|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}"  # Slack
    r"|[sr]k_(?:live|test)_\w{10,}",  # Stripe
    re.IGNORECASE,
)

# "//", at the beginning or after a character that may precede a URL; or at least one slash after "scheme:", or after
# "http", which lost its ":" where "http:http://" was parsed
_SLASHES = (
    r"[/\\](?:(?<=[A-Za-z0-9+.\-_]:[/\\])|(?<=http[/\\])|(?<=https[/\\])"
    r"|(?<![^\s:\"'(<>=,;&?#\[{|][/\\])[/\\])[/\\]*"
)
_USER = re.compile(rf"{_SLASHES}(?P<user>[^\s:/?#\\]*)(?::(?P<password>[^\s/?#\\]*))?@")
_NO_PORT = (  # unless the ":" begins a port, or ports of a list of hosts
    rf"{_SLASHES}(?!\[)(?P<user>[^\s:@/?#\\\"'<>]*):(?![^\s/?#\\]*@)"
    r"(?![0-9]*(?:,[^\s/?#\\@\"'<>]*)?(?:[/?#\\]|$))"
)
_UNPARSED = re.compile(rf"{_NO_PORT}(?P<password>.*)@", re.DOTALL)
_UNPARSED_IN_TEXT = re.compile(  # a password holds a blank only after a slash: "http://host:8080 me@host"
    rf"{_NO_PORT}(?P<password>[^\s\"'<>/?#\\]*[/?#\\][^\r\n\"'<>]*|[^\s\"'<>]*)@"
)
_BEHIND = re.compile(  # "\:password@": the URL Standard's path, others' user information
    rf"(?:\A|{_SLASHES}[^\s/?#\\]*)[/\\](?P<user>):(?P<password>[^\s/?#\\]+)@"
)
# "urn:a:b@c" is a name, and data: and javascript: hold content; the first four have a URL within
_OPAQUE = re.compile(
    r"(?<![A-Za-z0-9+.\-:/\\@%~_)\]}])(?:(?:jdbc|view-source|blob|feed|filesystem):)*(?!(?:urn|tag|data|javascript):)"
    r"[a-z][a-z0-9+.\-]*:(?P<user>[^\s:@/?#\\\"'<>=&,;(){}\[\]|]+)(?::(?P<password>[^\s/?#\\\"'<>&]*))?@",
    re.IGNORECASE,
)
_PAIR = re.compile(r":[^\s:@/?#\\\"'<>=&,;(){}\[\]|]+[:@]")  # the part that all of those share
_SIP = re.compile(  # the user may hold all but ":" and "@", the password all (RFC 3261 section 25.1)
    r"(?<![A-Za-z0-9+.\-])sips?:(?P<user>[^\s:@\"'<>]*):(?![0-9]*(?:[;?]|$))(?P<password>[^\s\"'<>]*)@", re.IGNORECASE
)
_EXTENSION = re.compile(  # of a telephone number (RFC 3966)
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
_NAMED = re.compile(r"(?<![\w.\-\[\]$])([\w.\-\[\]$]+)=")
_VALUE, _VALUE_IN_TEXT = re.compile(r"\{[^}\s]{0,256}\}|[^&;#]*"), re.compile(r"\{[^}\s]{0,256}\}|[^&;#\s\"<>]*")
_VALUE_IN_LIST = re.compile(r"[^&;#\s),]*")  # MySQL's (host=h,password=p)

_ESCAPE = re.compile(r"%(?!2[027]|3[CcEe])[2-7][0-9A-Fa-f]")  # not of space, quotes, "<", ">", where a URL ends
_AUTHORITY = re.compile(r"[/\\](?<![^\s:\"'(<>,][/\\])[/\\]+[^\s/?#\\]*")
_HEAD = re.compile(r"(?:^|[\s\"'(<>,])(?:[A-Za-z][A-Za-z0-9+.\-_]*:)?\Z")
_REMOVED = re.compile(r"[\t\n\r]")  # by the URL Standard's parser


def is_secret_name(name: str, names: "Collection[str]" = NAMES) -> bool:
    """Return whether the value of a parameter or field of this name is secret. names: in lower case. Each word of
    ``user[password][0]`` is checked."""
    name = name.lower()
    if name in names or _PASSWORD.search(name):
        return True
    if "[" not in name:
        return False
    return any(word in names or _PASSWORD.search(word) for word in re.split(r"[\[\]]+", name) if word)


def is_token(username: str) -> bool:
    """Return whether a user name has the shape of an access token."""
    return TOKEN.fullmatch(_decoded(username)[0]) is not None


def stated(text: str, names: "Collection[str]" = NAMES, *, whole: bool = True) -> "Iterator[tuple[int, int]]":
    """Yield where secrets are in a text (start, end), by rules without a parser, in any order; spans may overlap.

    whole: the text is one URL, or a part of one; otherwise it is prose with URLs in it.
    """
    if whole and _REMOVED.search(text):
        removed = [found.start() for found in _REMOVED.finditer(text)]
        places = [place - k for k, place in enumerate(removed)]
        for start, end in stated(_REMOVED.sub("", text), names):
            yield start + bisect_right(places, start), end + bisect_right(places, end - 1)
        return
    yield from _in_view(text, names, whole)
    ways: list[list[int]] = []  # for the way back to the text: the places of the escapes in each view
    for _ in range(3):
        text, places = _decoded(text)
        if not places:
            return
        ways.append(places)
        for start, end in _in_view(text, names, whole):
            for way in reversed(ways):
                start, end = start + 2 * bisect_left(way, start), end + 2 * bisect_left(way, end)
            yield start, end


def _decoded(text: str) -> tuple[str, list[int]]:
    """Return text with its escapes decoded once, and their places in the result. Escapes in the authority of a URL
    stay: they do not delimit it."""
    pieces: list[str] = []
    places: list[int] = []
    end = length = kept = 0
    authorities = _AUTHORITY.finditer(text) if "%" in text else iter(())
    authority = next(authorities, None)
    for escape in _ESCAPE.finditer(text):
        start = escape.start()
        while authority is not None and authority.start() < start:
            if _HEAD.search(text[max(0, authority.start() - 40) : authority.start()]):
                kept = authority.end()
            authority = next(authorities, None)
        if start >= kept:
            pieces += text[end:start], chr(int(escape[0][1:], 16))
            length += start - end + 1
            places.append(length - 1)
            end = escape.end()
    pieces.append(text[end:])
    return "".join(pieces), places


def _in_view(text: str, names: "Collection[str]", whole: bool) -> "Iterator[tuple[int, int]]":
    folded = text.lower()
    if "@" in text:
        # what a rule finds ends at the last "@" of a word at the latest, so no search goes further
        rules: list[tuple[re.Pattern[str], re.Pattern[str]]] = []
        if "/" in text or "\\" in text:
            rules += (_USER, _WORD), (_BEHIND, _WORD), (_UNPARSED, _ALL) if whole else (_UNPARSED_IN_TEXT, _LINE)
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
                    if is_token(found["user"]):
                        yield found.span("user")
                    if found["password"]:
                        yield found.span("password")
    if "=" not in text:
        return
    from urlsm.errors.rules import SECRETS

    for scheme, own in SECRETS.items():
        if f"{scheme}:" in folded:
            names = {*own, *names}
    if "password" in folded or any(name in folded for name in names):
        end = 0
        for found in _NAMED.finditer(text):
            if found.start() >= end and is_secret_name(found[1], names):
                in_list = found.start() and text[found.start() - 1] in "(,"
                value = _VALUE_IN_LIST if in_list else _VALUE if whole else _VALUE_IN_TEXT
                held = value.match(text, found.end())
                if held:
                    end = held.end()
                    yield held.span()
