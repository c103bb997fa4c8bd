"""Which handler a scheme has. Registered by hand > an installed plug-in's > built in.

A plug-in is an entry point of the group "urlsm.schemes", named by its scheme, whose object is a Scheme subclass or an
instance. The names are read once, when the first scheme is looked up that is none of the URL Standard's special
ones; a plug-in is imported when its own scheme is looked up. What special schemes mean never depends on what is
installed: their handlers change by register() only.
"""

from __future__ import annotations

from importlib import import_module
from threading import RLock

from urlsm.errors import PluginError
from urlsm.machine import special_kind
from urlsm.schemes import BUILT_IN
from urlsm.schemes.base import Scheme
from urlsm.url import use_handlers
from urlsm.values import lower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "find", "handler", "known", "register", "unregister"]

GROUP = "urlsm.schemes"
FIXED = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "file": None}  # special by the URL Standard
LONGEST = 255  # characters of a scheme that is looked up at all: each "+" in it costs a look
_GENERIC = Scheme()
_lock = RLock()
_by_hand: dict[str, Scheme] = {}  # what every URL holds: replaced, never changed
_special: dict[str, int] = {}  # which of those are special, and their default ports
_built_in: dict[str, Scheme] = {}  # those that no plug-in replaces, once they are asked for
_plugged_in: dict[str, Scheme] = {}
_entry_points: dict[str, list[EntryPoint]] | None = None


def register(handler: Scheme | type[Scheme]) -> None:
    """Have URLs that are made from now on look to this handler for its schemes. URLs made before keep theirs.

    A handler with special = True has its schemes parsed as http is.

    Raises:
        ValueError: no name, or none that a scheme can have; a special scheme of the URL Standard with another default
            port, or not special. TypeError: no Scheme.
    """
    made = _instance(handler)
    names = [_checked(name) for name in made.names]
    if made.default_port is not None and not (isinstance(made.default_port, int) and 0 < made.default_port <= 0xFFFF):
        raise ValueError(f"a default port is an int from 1 to 65535, or None, not {made.default_port!r}")
    if not names:
        raise ValueError(f"{made!r} names no scheme")
    for name in names:
        if name in FIXED and (not made.special or made.default_port != FIXED[name]):
            raise ValueError(f"{name!r} is special, with default port {FIXED[name]}: a handler must agree")
    global _by_hand
    ports = {name: made.default_port or 0 for name in names if made.special and name not in FIXED}
    with _lock:
        for name, port in ports.items():
            special_kind(name.encode(), port)  # where there is no room for one, nothing is changed yet
        for name in names:
            _be_special(name, ports.get(name))
        _by_hand = {**_by_hand, **dict.fromkeys(names, made)}
        use_handlers(_by_hand)


def unregister(name: str) -> None:
    """Undo register for one scheme. KeyError where nothing is registered for it."""
    global _by_hand
    name = lower(str(name))
    with _lock:
        kept = dict(_by_hand)
        del kept[name]
        _be_special(name, None)
        _by_hand = kept
        use_handlers(kept)


def handler(name: str) -> Scheme:
    """The handler of a scheme: the generic one (it has no names) where nobody knows the scheme.

    "a+b" without a handler of its own has b's where that is known, else a's.

    Raises PluginError: a plug-in announces the scheme, but its handler cannot be had. TypeError: not a str.
    """
    if not isinstance(name, str):
        raise TypeError(f"a scheme is str, not {type(name).__name__}")
    return find(lower(str(name)), _by_hand)


def find(name: str, by_hand: dict[str, Scheme]) -> Scheme:
    """handler(name), with these registered by hand; the name is in lower case."""
    found = by_hand.get(name) or _plugged_in.get(name) or _built_in.get(name)
    if found is not None:
        return found
    tail = name if len(name) <= LONGEST else ""
    while True:
        found = _own(tail, by_hand)
        if found is not None:
            return found
        plus = tail.find("+")
        if plus < 0:
            break
        tail = tail[plus + 1 :]
    head = name.rpartition("+")[0] if tail else ""
    while head:
        found = _own(head, by_hand)
        if found is not None:
            return found
        head = head.rpartition("+")[0]
    return _GENERIC


def known() -> dict[str, str]:
    """Every scheme that has a handler of its own, in order, and where it is from: "registered", "built in", or the
    distribution of a plug-in, which is not imported."""
    found = dict.fromkeys(BUILT_IN, "built in")
    for name, announced in _announced().items():
        who = " and ".join([_distribution(point) for point in announced])
        found[name] = who if name not in FIXED else f"built in ({who} is ignored: it can be registered by hand)"
    found.update(dict.fromkeys(_by_hand, "registered"))
    return dict(sorted(found.items()))


def _own(name: str, by_hand: dict[str, Scheme]) -> Scheme | None:
    """What is registered under this very name."""
    found = by_hand.get(name) or _plugged_in.get(name) or _built_in.get(name)
    if found is None and name not in FIXED and name in _announced():
        return _plug_in(name)
    if found is None and name in BUILT_IN:
        module, _, kind = BUILT_IN[name].partition(":")
        found = _built_in[name] = getattr(import_module(f"urlsm.schemes.{module}"), kind)()
    return found


def _announced() -> dict[str, list[EntryPoint]]:
    """The entry points of the group, by scheme; all of them where several distributions announce one."""
    global _entry_points
    with _lock:
        if _entry_points is None:
            from importlib.metadata import entry_points

            found: dict[str, list[EntryPoint]] = {}
            for point in entry_points(group=GROUP):
                same = found.setdefault(lower(point.name), [])
                if (point.value, _distribution(point)) not in [(other.value, _distribution(other)) for other in same]:
                    same.append(point)
            _entry_points = found
        return _entry_points


def _plug_in(name: str) -> Scheme:
    """The handler of a plug-in, imported now; a failure is tried again the next time."""
    announced = _announced()[name]
    who = " and ".join([_distribution(point) for point in announced])
    if len(announced) > 1:
        raise PluginError(f"the scheme {name!r} is announced by {who}: uninstall one of them, or register one by hand")
    try:
        made = _instance(announced[0].load())
    except (Exception, SystemExit) as error:
        raise PluginError(f"the handler of {name!r} that {who} announces cannot be loaded: {error}") from error
    with _lock:
        return _plugged_in.setdefault(name, made)


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def _instance(found: object) -> Scheme:
    made = found() if isinstance(found, type) and issubclass(found, Scheme) else found
    if not isinstance(made, Scheme):
        raise TypeError(f"a handler is a urlsm.schemes.Scheme, not {type(made).__name__}")
    return made


def _checked(name: str) -> str:
    from re import fullmatch

    if not isinstance(name, str) or not fullmatch(r"[a-z][a-z0-9+.-]*", name):
        raise ValueError(f"no scheme can be called {name!r}: lower-case letters, digits, '+', '-' and '.' only")
    return name


def _be_special(name: str, port: int | None) -> None:
    """Have the machine count a scheme as special, with this default port (0: none); None: no more."""
    if name in _special:
        special_kind(name.encode(), _special.pop(name), False)
    if port is not None:
        special_kind(name.encode(), port, True)
        _special[name] = port
