"""Finds the handler of a scheme: one registered by hand, else a plug-in's, else the built-in one.

A plug-in is an entry point of the group "urlsm.schemes". Its name is the scheme, and its object is a subclass of Scheme
or an instance of one. The names of all plug-ins are read once, when a scheme that the URL Standard does not call
special is first looked up. A plug-in is imported when its own scheme is looked up. Installed packages never change the
meaning of special schemes: only register() replaces their handlers.
"""

from __future__ import annotations

from _thread import RLock  # not from threading, which takes a millisecond to load

from urlsm.components.parts import lower
from urlsm.errors import PluginError
from urlsm.machine.driver import SPECIAL, set_opaque_schemes, special_kind
from urlsm.machine.opaque import OPAQUE
from urlsm.octets.later import import_from
from urlsm.schemes import BUILT_IN, CARRIERS, OVER
from urlsm.schemes.generic import Scheme, Unknown
from urlsm.url.value import use_handlers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "find", "handler", "known", "register", "unregister"]

GROUP = "urlsm.schemes"
LONGEST = 255  # characters; a longer scheme is not looked up, because each "+" in it costs a look-up
_GENERIC = Unknown()
_lock = RLock()
_by_hand: dict[str, Scheme] = {}  # URLs refer to this dict, so it is replaced, never changed
_special: dict[str, int] = {}  # the special schemes in _by_hand, and their default ports
_built_in: dict[str, Scheme] = {}  # the built-in handlers that were looked up and that no plug-in replaces
_made: dict[str, Scheme] = {}  # all built-in handlers that have been made
_plugged_in: dict[str, Scheme] = {}
_walked: dict[str, tuple[dict[str, Scheme], Scheme]] = {}  # what find did with names "a+b": (_by_hand then, the result)
_MOST_WALKED = 1024
_NOTHING: dict[str, Scheme] = {}
_entry_points: dict[str, list[EntryPoint]] | None = None


def register(handler: Scheme | type[Scheme]) -> None:
    """Use this handler for its schemes, in URLs made from now on. URLs made before keep theirs.

    If the handler has special = True, its schemes are parsed like http. If it is not hierarchical, its schemes are
    opaque to Barth's dialect, unless it requires an authority, or allows one and its example has one. An installed
    plug-in changes neither the parser nor that dialect.

    Raises:
        ValueError: the handler has no name, or one that a scheme cannot have; or it names a special scheme of the URL
            Standard with another default port, or not as special. TypeError: handler is not a Scheme.
    """
    made = _instance(handler)
    names = checked_traits(made)
    global _by_hand
    ports = {name: made.default_port or 0 for name in names if made.special and name not in SPECIAL}
    with _lock:
        for name, port in ports.items():
            special_kind(name.encode(), port)  # raises before anything changes if the table is full
        for name in names:
            _be_special(name, ports.get(name))
        by_hand = {**_by_hand, **dict.fromkeys(names, made)}
        _tell_opaque(_by_hand, by_hand)
        use_handlers(by_hand)
        _by_hand = by_hand  # last: while use_handlers makes the dict immortal, no other thread may have it


def checked_traits(made: Scheme) -> list[str]:
    """Return the names of a handler. Raise ValueError, as register does, if a name or the default port is not
    allowed."""
    names = [_checked(name) for name in made.names]
    if made.default_port is not None and not (isinstance(made.default_port, int) and 0 < made.default_port <= 0xFFFF):
        raise ValueError(f"default_port must be an int from 1 to 65535, or None, not {made.default_port!r}")
    if not names:
        raise ValueError(f"{made!r} has no scheme names")
    for name in names:
        if name in SPECIAL and (not made.special or made.default_port != SPECIAL[name]):
            raise ValueError(f"{name!r} is special, with default port {SPECIAL[name]}; its handler must say the same")
    return names


def unregister(name: str) -> None:
    """Undo register for one scheme. Raises KeyError if no handler is registered for it."""
    global _by_hand
    name = lower(str(name))
    with _lock:
        kept = dict(_by_hand)
        del kept[name]
        _be_special(name, None)
        _tell_opaque(_by_hand, kept)
        use_handlers(kept)
        _by_hand = kept


def handler(name: str) -> Scheme:
    """Return the handler of a scheme; for an unknown scheme the generic handler, which has no names.

    A scheme "a+b" may have a handler of its own. If it has none, the handler of a is returned if it has the trait
    owns_plus. Otherwise, if a is a version control system ("git"), the handler of "git+https" is returned. Otherwise
    that of b is returned, or if there is none, that of a; or first that of a, if b is "tcp" or "unix".

    Raises:
        PluginError: the plug-in for this scheme failed to load. TypeError: name is not a str.
    """
    if not isinstance(name, str):
        raise TypeError(f"a scheme must be str, not {type(name).__name__}")
    return find(lower(str(name)), _by_hand)


def find(name: str, by_hand: dict[str, Scheme]) -> Scheme:
    """Return what handler(name) returns while these handlers are registered. The name must be in lower case."""
    found = by_hand.get(name) or _plugged_in.get(name) or _built_in.get(name)
    if found is not None:
        return found
    if "+" not in name:
        return _own(name, by_hand) or _GENERIC
    by_hand = by_hand or _NOTHING  # all URLs without registered handlers use this one dict
    walked = _walked.get(name)
    if walked is None or walked[0] is not by_hand:
        if len(_walked) >= _MOST_WALKED:
            _walked.clear()
        walked = _walked[name] = by_hand, _of_plus(name, by_hand) if len(name) <= LONGEST else _GENERIC
    return walked[1]


def _of_plus(name: str, by_hand: dict[str, Scheme]) -> Scheme:
    """Return find(name) for a name with a "+"."""
    found = _own(name, by_hand)
    if found is not None:
        return found
    pieces = name.split("+")
    heads = [_own("+".join(pieces[:k]), by_hand) for k in range(len(pieces) - 1, 0, -1)]
    for head in heads:
        if head is not None and head.owns_plus:
            return head
    over = _own(OVER[pieces[0]], by_hand) if pieces[0] in OVER else None
    if over is not None and pieces[1]:
        return over
    tails = [_own("+".join(pieces[k:]), by_hand) for k in range(1, len(pieces))]
    if pieces[-1] in CARRIERS:  # the pieces before the transport name the scheme
        tails, heads = heads, tails
    return next((found for found in (*tails, *heads) if found is not None), _GENERIC)


def known() -> dict[str, str]:
    """Return every scheme that has a handler of its own, sorted, and the origin of that handler: "registered", "built
    in", or the name and version of the distribution that announces it. Plug-ins are not imported."""
    found = dict.fromkeys(BUILT_IN, "built in")
    for name, announced in _announced().items():
        who = " and ".join([_distribution(point) for point in announced])
        found[name] = who if name not in SPECIAL else f"built in ({who} is ignored: register its handler by hand)"
    found.update(dict.fromkeys(_by_hand, "registered"))
    return dict(sorted(found.items()))


def _own(name: str, by_hand: dict[str, Scheme]) -> Scheme | None:
    """Return the handler of exactly this name, or None."""
    found = by_hand.get(name) or _plugged_in.get(name) or _built_in.get(name)
    if found is None and name not in SPECIAL and name in _announced():
        return _plug_in(name)
    made = built_in(name) if found is None else found
    if found is None and made is not None:
        _built_in[name] = made
    return made


def built_in(name: str) -> Scheme | None:
    """Return the library's own handler of exactly this name, even if another is registered for it."""
    found = _made.get(name)
    if found is None and name in BUILT_IN:
        module, _, made = BUILT_IN[name].partition(":")
        make = import_from(f"urlsm.schemes.{module}", made)
        found = _made.setdefault(name, make() if isinstance(make, type) else make(name))  # the same for all threads
    return found


def _announced() -> dict[str, list[EntryPoint]]:
    """Return a list of entry points for each scheme that is announced; several distributions may announce the same."""
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
    """Import a plug-in and return its handler. If that fails, the next call tries again."""
    announced = _announced()[name]
    who = " and ".join([_distribution(point) for point in announced])
    if len(announced) > 1:
        raise PluginError(f"{who} announce a handler of {name!r}: uninstall one, or register one by hand")
    try:
        made = _instance(announced[0].load())
    except (Exception, SystemExit) as error:
        raise PluginError(f"the handler of {name!r} from {who} could not be loaded: {error}") from error
    with _lock:
        return _plugged_in.setdefault(name, made)


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def _instance(found: object) -> Scheme:
    made = found() if isinstance(found, type) and issubclass(found, Scheme) else found
    if not isinstance(made, Scheme):
        raise TypeError(f"a handler must be a urlsm.schemes.Scheme, not {type(made).__name__}")
    return made


def _checked(name: str) -> str:
    from re import fullmatch

    if not isinstance(name, str) or not fullmatch(r"[a-z][a-z0-9+.-]*", name):
        raise ValueError(f"a scheme cannot be called {name!r}: use lower-case letters, digits, '+', '-' and '.' only")
    return name


def is_opaque(handler: Scheme) -> bool:
    """Return whether a handler's schemes are opaque to Barth's dialect."""
    if handler.authority == "forbidden":
        return not handler.hierarchical
    with_authority = handler.example.partition(":")[2].startswith("//")
    return not handler.hierarchical and handler.authority != "required" and not with_authority


def _opaque_with(by_hand: dict[str, Scheme]) -> set[str]:
    """Return all schemes that are opaque to Barth's dialect while these handlers are registered. A scheme of OPAQUE
    stays opaque unless its new handler is hierarchical."""
    kept = {name for name in OPAQUE if name not in by_hand or not by_hand[name].hierarchical}
    return kept | {name for name, found in by_hand.items() if is_opaque(found)}


def _tell_opaque(before: dict[str, Scheme], now: dict[str, Scheme]) -> None:
    """Tell the machine which schemes are opaque, if the new handlers have changed that."""
    opaque = _opaque_with(now)
    if opaque != _opaque_with(before):
        set_opaque_schemes(opaque)


def _be_special(name: str, port: int | None) -> None:
    """Make a scheme special, with this default port (0: no port). If port is None, undo that."""
    was = _special.pop(name, None)
    if port is not None:
        special_kind(name.encode(), port, True)  # while the old row is still there: a parser must always find a row
        _special[name] = port
    if was is not None and was != port:
        special_kind(name.encode(), was, False)
