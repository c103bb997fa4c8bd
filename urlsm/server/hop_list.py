"""What each program on the way of a request makes of its path: the path that it matches on, and what it sends on."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

from urlsm.octets.records import NamedTuple
from urlsm.readers.hop_proofs import HOP_PROOFS
from urlsm.readers.hops import PATH, PROGRAMS, Settings, settings
from urlsm.readers.hops import answer as hops_answer

__all__ = ["Hop", "HopInfo", "answer", "every_hop", "forwards", "hops", "path_as"]


class HopInfo(NamedTuple):
    """A program whose reading of a path is known: an element of the result of `hops`.

    Attributes:
        name: its name, as in `path_as("/a", "nginx@1.22")`.
        versions: its known releases, oldest first.
        call: what is asked, such as "location" or "ServeMux".
        options: the values of each option, its default first. `"path"` stands for a path from "/" to "/", or "".
        steps: the names of the steps to the path that it matches on, with the default options.
        forwards: the names of the steps to the target that it sends on; empty if it sends nothing on.
        folds: whether its rules are compared without regard to letter case.
        proved: the date, as YYYY-MM-DD, of the last comparison with the live program; "" if there was none.
        texts: how many targets were compared then, over all versions and options.
        equal: how many of them urlsm reads exactly as the program does.

    Example:
        >>> next(hop for hop in urlsm.server.hops() if hop.name == "gunicorn").steps
        ('refuse all but 21 to 7E', 'cut #', 'cut ?', 'decode once')
    """

    name: str
    versions: tuple[str, ...]
    call: str
    options: dict[str, tuple[Any, ...]]
    steps: tuple[str, ...]
    forwards: tuple[str, ...]
    folds: bool
    proved: str
    texts: int
    equal: int


HopInfo.__module__ = "urlsm.server"


class Hop:
    """A program on the way of a request, with its options.

    Args:
        name: the name of the program, such as "nginx" or "nginx@1.22". Without a version, its newest known release.
        strip: a path that the program takes off the beginning of what it sends on, such as "/api". nginx does so by
            `location /api/ { proxy_pass http://up/; }`, which is `proxy_pass="/"`.
        mount: a path that HAProxy puts before what it sends on (`http-request replace-path (.*) /m\\1`). nginx, Apache
            and Envoy have options for it.
        text_prefix: whether its rules fit any text that begins with them, as nginx's `location /admin` fits
            "/administrator". Otherwise, rules fit whole segments.
        options: the options of the program (`hops` lists them); the others have the program's defaults.

    Raises:
        ValueError: the program, its version, an option or its value is unknown, strip or mount is not a path, or it is
            not known what the program sends on with it.

    Example:
        >>> urlsm.server.Hop("nginx@1.22", proxy_pass="/", strip="/api")
        Hop('nginx@1.22.1', proxy_pass='/', strip='/api')
    """

    __module__ = "urlsm.server"
    __slots__ = ("mount", "options", "settings", "strip", "text_prefix")

    settings: Settings
    strip: str
    mount: str
    text_prefix: bool
    options: dict[str, Any]

    def __init__(
        self, name: str, *, strip: str = "", mount: str = "", text_prefix: bool = False, **options: Any
    ) -> None:
        for word, path in (("strip", strip), ("mount", mount)):
            if not isinstance(path, str):
                raise TypeError(f"{word} must be str, not {type(path).__name__}")
            if path and (not path.startswith("/") or path.endswith("/")):
                raise ValueError(f'{word} must begin with "/" and not end with it, unlike {path!r}')
        self.settings = settings(name, options)
        if strip and not self.settings.can_strip:
            raise ValueError(f"it is not known what {name} sends on when it strips a prefix with these options")
        if mount and not self.settings.program.mounts:
            raise ValueError(f"it is not known what {name} sends on when it puts a prefix, other than by an option")
        self.strip, self.mount, self.text_prefix = strip, mount + self.settings.mount, text_prefix
        self.options = options

    @property
    def name(self) -> str:
        """The name with the release.

        Example:
            >>> urlsm.server.Hop("nginx@1.22").name
            'nginx@1.22.1'
        """
        return self.settings.name

    def __eq__(self, other: object) -> bool:
        return self._given() == other._given() if isinstance(other, Hop) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self._given()[1].items()))))

    def __reduce__(self) -> tuple[Any, ...]:
        return made_of, self._given()

    def __repr__(self) -> str:
        return f"Hop({self.name!r}{''.join(f', {name}={value!r}' for name, value in self._given()[1].items())})"

    def _given(self) -> tuple[str, dict[str, Any]]:
        """Return the name and the arguments that are not the defaults."""
        mount = self.mount.removesuffix(self.settings.mount) if self.settings.mount else self.mount
        prefixes = {"strip": self.strip, "mount": mount, "text_prefix": self.text_prefix}
        return self.name, {**self.options, **{name: value for name, value in prefixes.items() if value}}


def made_of(name: str, given: dict[str, Any]) -> Hop:
    """Return the hop that a pickle describes."""
    return Hop(name, **given)


def hop_of(hop: str | Hop, options: dict[str, Any]) -> Hop:
    """Return a hop, which may be given by its name. TypeError: it is neither, or a Hop has more options."""
    if isinstance(hop, Hop):
        if options:
            raise TypeError("the options belong in the Hop")
        return hop
    if not isinstance(hop, str):
        raise TypeError(f"hop must be str or Hop, not {type(hop).__name__}")
    try:
        return _known(hop, tuple(options.items()))
    except TypeError:  # a value that cannot be hashed, which no option has
        return Hop(hop, **options)


@lru_cache(maxsize=256)
def _known(name: str, options: tuple[tuple[str, Any], ...]) -> Hop:
    return Hop(name, **dict(options))


def octets_of(target: str | bytes) -> bytes:
    """Return a target in UTF-8. Lone surrogates stand for bytes that are not UTF-8 (surrogateescape)."""
    if isinstance(target, bytes):
        return target
    if not isinstance(target, str):
        raise TypeError(f"target must be str or bytes, not {type(target).__name__}")
    try:
        return target.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return target.encode("utf-8", "surrogatepass")


def answer(target: bytes, hop: str | Hop, **options: Any) -> tuple[str, bytes | None, bytes | None]:
    """Return what a program does: "matched", "refused" or "redirected"; the path that it matches on, and what it sends
    on."""
    found = hop_of(hop, options)
    done, matched, text = hops_answer(target, found.settings)
    return done, matched, None if text is None else moved(text, found.strip.encode(), found.mount.encode())


def moved(text: bytes, strip: bytes, mount: bytes) -> bytes | None:
    """Return a target with a prefix taken off and another put before it. None: it does not begin with the prefix."""
    if not strip:
        return mount + text
    return mount + text[len(strip) :] if text.startswith(strip + b"/") else None


def path_as(target: str | bytes, hop: str | Hop, **options: Any) -> str | None:
    """Return the path that a program matches its rules on, for the target of a request.

    Args:
        target: the request target, as in "/a/../b?q". One that does not begin with "/" is rejected.
        hop: the program, by name or as a Hop.
        options: the options of the program, as for Hop.

    Returns:
        The path; None if the program rejects or redirects the request. Bytes that are not UTF-8 become lone surrogates
        ("surrogateescape").

    Raises:
        ValueError: the program, its version or an option is unknown.
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.server.path_as("/x/..;/admin", "nginx"), urlsm.server.path_as("/x/..%2fadmin", "nginx")
        ('/x/..;/admin', '/admin')
    """
    path = answer(octets_of(target), hop, **options)[1]
    return None if path is None else path.decode("utf-8", "surrogateescape")


def forwards(target: str | bytes, hop: str | Hop, **options: Any) -> str | None:
    """Return the target that a program sends on, for the target of a request.

    Args:
        target: as for path_as.
        hop: as for path_as.
        options: as for path_as.

    Returns:
        The target; None if the program sends nothing on, or rejects or redirects the request, or if the target does not
        begin with the prefix that the program strips. A server of Python gives the target to the application.

    Raises:
        ValueError: the program, its version or an option is unknown.
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.server.forwards("/x/../admin?q", "nginx")
        '/x/../admin?q'
        >>> urlsm.server.forwards("/x/../admin?q", "nginx", proxy_pass="/")
        '/admin?q'
    """
    text = answer(octets_of(target), hop, **options)[2]
    return None if text is None else text.decode("utf-8", "surrogateescape")


def every_hop() -> list[Hop]:
    """Return each release of each known program, and once more for each value of each option, if it reads otherwise."""
    found: dict[Any, Hop] = {}
    for program in PROGRAMS:
        chosen = [
            {option: value} for option, values in program.options.items() if values != (PATH,) for value in values
        ]
        for release, options in product(reversed(program.releases), ({}, *chosen)):
            hop = Hop(f"{program.name}@{release}", **options)
            found.setdefault((hop.settings.reads.steps, hop.settings.match.steps, hop.settings.folds), hop)
    return list(found.values())


def hops() -> list[HopInfo]:
    """Return the programs whose reading of a path is known, by name. None is run: urlsm has their rules.

    Example:
        >>> [hop.name for hop in urlsm.server.hops() if hop.folds]
        ['caddy', 'express']
    """
    found = []
    for program in sorted(PROGRAMS, key=lambda program: program.name):
        default = settings(program.name, {})
        steps = tuple([step.name for step in (*default.reads.steps, *default.match.steps)])
        sent = tuple([step.name for step in (*default.reads.steps, *default.forward.steps)]) if program.forward else ()
        proofs = HOP_PROOFS.get(program.name, {}).values()
        options = {name: ("", PATH) if values == (PATH,) else values for name, values in program.options.items()}
        found.append(
            HopInfo(
                program.name,
                program.releases,
                program.call,
                options,
                steps,
                sent,
                default.folds,
                max((proof.date for proof in proofs), default=""),
                sum(proof.texts for proof in proofs),
                sum(proof.equal for proof in proofs),
            )
        )
    return found
