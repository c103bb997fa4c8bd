"""Finds the handler for a scheme: the registered handler, otherwise the handler from a plug-in, otherwise the built-in
handler.

A plug-in is an entry point of the group "urlsm.schemes". Its name is the scheme, and its object is a subclass of
Scheme, or an instance of such a class. The names of all plug-ins are read once, when a scheme that the URL Standard
does not call special is first looked up. A plug-in is imported when its own scheme is looked up. Installed packages
never change the meaning of special schemes: only register() replaces their handlers.
"""

from __future__ import annotations

from _thread import RLock  # not from threading, which takes a millisecond to load

from urlsm.components.parts import lower
from urlsm.errors import PluginError
from urlsm.machine.driver import SPECIAL, set_opaque_schemes, special_kind
from urlsm.machine.opaque import OPAQUE
from urlsm.octets.later import import_from
from urlsm.schemes.built_in import BUILT_IN, CARRIERS, OVER
from urlsm.schemes.generic import Scheme, Unknown
from urlsm.url.value import use_handlers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from typing import Any

__all__ = ["GROUP", "find", "handler", "known", "register", "unregister"]

GROUP = "urlsm.schemes"
LONGEST = 255  # in characters; a longer scheme with "+" is not looked up, because each "+" needs further look-ups
_GENERIC = Unknown()
_lock = RLock()
# the registered handlers; URLs refer to this dict, so it is replaced, never changed
_by_hand: dict[str, Scheme[Any]] = {}
_special: dict[str, int] = {}  # the special schemes in _by_hand, and their default ports
_built_in: dict[str, Scheme[Any]] = {}  # the built-in handlers that were looked up and that no plug-in replaces
_made: dict[str, Scheme[Any]] = {}  # all built-in handlers that have been made
_plugged_in: dict[str, Scheme[Any]] = {}
# for each name "a+b": the argument `by_hand` of the last find() for this name, and the result of that call
_walked: dict[str, tuple[dict[str, Scheme[Any]], Scheme[Any]]] = {}
_MOST_WALKED = 1024
_NOTHING: dict[str, Scheme[Any]] = {}
_entry_points: dict[str, list[EntryPoint]] | None = None


def register(handler: Scheme[Any] | type[Scheme[Any]]) -> None:
    """Use a handler for its schemes in all URLs created from now on. Existing URLs keep their handlers.

    If the handler has the trait special = True, its schemes are parsed like http. Registering can change the parser and
    which schemes the dialect "barth" treats as opaque; an installed plug-in that is not registered cannot.

    Args:
        handler: a subclass of `urlsm.schemes.Scheme`, or an instance of one.

    Raises:
        ValueError: the handler has no name or a name that is not a valid scheme, its default port is not from 1 to
            65535, it conflicts with a special scheme of the URL Standard, or there are too many special schemes.
        TypeError: handler is not a Scheme.

    Example:
        >>> import urlsm
        >>> class Lamp(urlsm.schemes.Scheme):
        ...     names = ("lamp",)
        >>> urlsm.register(Lamp)
        >>> urlsm.unregister("lamp")
    """
    made = _instance(handler)
    names = checked_traits(made)
    global _by_hand
    ports = {name: made.default_port or 0 for name in names if made.special and name not in SPECIAL}
    with _lock:
        for name, port in ports.items():
            special_kind(name.encode(), port)  # if the table is full, this raises an error before anything changes
        for name in names:
            _be_special(name, ports.get(name))
        by_hand = {**_by_hand, **dict.fromkeys(names, made)}
        _tell_opaque(_by_hand, by_hand)
        use_handlers(by_hand)
        _by_hand = by_hand  # not earlier: no other thread may have the dict while use_handlers makes it immortal


def checked_traits(made: Scheme[Any]) -> list[str]:
    """Return the names of a handler. Raises a ValueError, as register() does, for a name or a default port that is not
    allowed."""
    names = [_checked(name) for name in made.names]
    if made.default_port is not None and not (isinstance(made.default_port, int) and 0 < made.default_port <= 0xFFFF):
        raise ValueError(f"default_port must be an int from 1 to 65535, or None, not {made.default_port!r}")
    if not names:
        raise ValueError(f"{type(made).__name__}.names must not be empty")
    for name in names:
        if name in SPECIAL and (not made.special or made.default_port != SPECIAL[name]):
            raise ValueError(f"the handler for {name!r} must have special = True and default_port = {SPECIAL[name]}")
    return names


def unregister(name: str) -> None:
    """Undo `register` for one scheme in all URLs created from now on.

    Args:
        name: the scheme, in upper or lower case.

    Raises:
        KeyError: no handler is registered for the scheme.

    Example:
        >>> import urlsm
        >>> class Lamp(urlsm.schemes.Scheme):
        ...     names = ("lamp",)
        >>> urlsm.register(Lamp)
        >>> urlsm.unregister("LAMP")
    """
    global _by_hand
    name = lower(str(name))
    with _lock:
        kept = dict(_by_hand)
        del kept[name]
        _be_special(name, None)
        _tell_opaque(_by_hand, kept)
        use_handlers(kept)
        _by_hand = kept


def handler(name: str) -> Scheme[Any]:
    """Return the handler for a scheme. For an unknown scheme, this is the generic handler, which has no names.

    A scheme "a+b" without its own handler uses the handler for "a" if "a" allows drivers (mysql+pymysql), or if "b" is
    "tcp", "unix" or unknown. If "a" is a version control system, it uses the handler for git+https; otherwise it uses
    the handler for "b".

    Args:
        name: the scheme, in upper or lower case.

    Raises:
        PluginError: the plug-in for this scheme failed to load.
        TypeError: name is not a str.

    Example:
        >>> import urlsm
        >>> urlsm.handler("mailto").build(recipients=["ann@ex.com"])
        'mailto:ann@ex.com'
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be str, not {type(name).__name__}")
    return find(lower(str(name)), _by_hand)


def find(name: str, by_hand: dict[str, Scheme[Any]]) -> Scheme[Any]:
    """Do the same as handler(name), but with by_hand as the registered handlers. The name must be in lower case."""
    found = by_hand.get(name) or _plugged_in.get(name) or _built_in.get(name)
    if found is not None:
        return found
    if "+" not in name:
        return _own(name, by_hand) or _GENERIC
    by_hand = by_hand or _NOTHING  # one dict stands for all empty dicts, so that `is` below can compare them
    walked = _walked.get(name)
    if walked is None or walked[0] is not by_hand:
        if len(_walked) >= _MOST_WALKED:
            _walked.clear()
        walked = _walked[name] = by_hand, _of_plus(name, by_hand) if len(name) <= LONGEST else _GENERIC
    return walked[1]


def _of_plus(name: str, by_hand: dict[str, Scheme[Any]]) -> Scheme[Any]:
    """Return the result of find() for a name with a "+"."""
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
    if pieces[-1] in CARRIERS:  # the scheme is named by the pieces before the transport
        tails, heads = heads, tails
    return next((found for found in (*tails, *heads) if found is not None), _GENERIC)


def known() -> dict[str, str]:
    """Return a sorted dict that maps every scheme with its own handler to the source of this handler: "registered",
    "built in", or the names and versions of the distributions that provide it. For a special scheme that a plug-in
    provides, the value says that the plug-in is ignored. Plug-ins are not imported."""
    found = dict.fromkeys(BUILT_IN, "built in")
    for name, announced in _announced().items():
        who = " and ".join([_distribution(point) for point in announced])
        found[name] = who if name not in SPECIAL else f"built in ({who} is ignored: register its handler by hand)"
    found.update(dict.fromkeys(_by_hand, "registered"))
    return dict(sorted(found.items()))


def _own(name: str, by_hand: dict[str, Scheme[Any]]) -> Scheme[Any] | None:
    """Return the handler with exactly this name, or None."""
    found = by_hand.get(name) or _plugged_in.get(name) or _built_in.get(name)
    if found is None and name not in SPECIAL and name in _announced():
        return _plug_in(name)
    made = built_in(name) if found is None else found
    if found is None and made is not None:
        _built_in[name] = made
    return made


def built_in(name: str) -> Scheme[Any] | None:
    """Return urlsm's own handler with exactly this name, even if another handler is registered for it; None if urlsm
    has none."""
    found = _made.get(name)
    if found is None and name in BUILT_IN:
        module, _, made = BUILT_IN[name].partition(":")
        make = import_from(f"urlsm.schemes.{module}", made)
        # if several threads make the handler, all get the same object
        found = _made.setdefault(name, make() if isinstance(make, type) else make(name))
    return found


def _announced() -> dict[str, list[EntryPoint]]:
    """Return a dict that maps each announced scheme to its entry points. There may be several, because several
    distributions may announce the same scheme."""
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


def _plug_in(name: str) -> Scheme[Any]:
    """Import the plug-in for a scheme, and return its handler. If this fails, the next call tries again."""
    announced = _announced()[name]
    who = " and ".join([_distribution(point) for point in announced])
    if len(announced) > 1:
        raise PluginError(
            f"{who} both provide a handler for {name!r}: uninstall one, or choose one with urlsm.register"
        )
    try:
        made = _instance(announced[0].load())
    except (Exception, SystemExit) as error:
        raise PluginError(f"the handler for {name!r} from {who} could not be loaded: {error}") from error
    with _lock:
        return _plugged_in.setdefault(name, made)


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def _instance(found: object) -> Scheme[Any]:
    made = found() if isinstance(found, type) and issubclass(found, Scheme) else found
    if not isinstance(made, Scheme):
        raise TypeError(f"handler must be a urlsm.schemes.Scheme, not {type(made).__name__}")
    return made


def _checked(name: str) -> str:
    from re import fullmatch

    if not isinstance(name, str) or not fullmatch(r"[a-z][a-z0-9+.-]*", name):
        starts = isinstance(name, str) and name[:1].isascii() and name[:1].isalpha()
        said = "use lower-case letters, digits, '+', '-' and '.'" if starts else "it must start with a letter"
        raise ValueError(f"invalid scheme {name!r}: {said}")
    return name


def is_opaque(handler: Scheme[Any]) -> bool:
    """Return whether the schemes of a handler are opaque in the dialect "barth"."""
    if handler.authority == "forbidden":
        return not handler.hierarchical
    with_authority = handler.example.partition(":")[2].startswith("//")
    return not handler.hierarchical and handler.authority != "required" and not with_authority


def _opaque_with(by_hand: dict[str, Scheme[Any]]) -> set[str]:
    """Return all schemes that are opaque in the dialect "barth" while these handlers are registered. A scheme in OPAQUE
    stays opaque unless its registered handler is hierarchical."""
    kept = {name for name in OPAQUE if name not in by_hand or not by_hand[name].hierarchical}
    return kept | {name for name, found in by_hand.items() if is_opaque(found)}


def _tell_opaque(before: dict[str, Scheme[Any]], now: dict[str, Scheme[Any]]) -> None:
    """Tell the machine which schemes are opaque, if this changes when the handlers `now` replace those in `before`."""
    opaque = _opaque_with(now)
    if opaque != _opaque_with(before):
        set_opaque_schemes(opaque)


def _be_special(name: str, port: int | None) -> None:
    """Make a scheme special, with this default port (0: no default port). If port is None, make the scheme not special
    again."""
    was = _special.pop(name, None)
    if port is not None:
        # add the new row before the old row is removed, since a parser in another thread must always find one
        special_kind(name.encode(), port, True)
        _special[name] = port
    if was is not None and was != port:
        special_kind(name.encode(), was, False)
