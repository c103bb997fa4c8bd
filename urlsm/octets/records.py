"""A replacement for typing.NamedTuple that does not load the module typing, which takes longer to load than urlsm."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

__all__ = ["NamedTuple"]


if not TYPE_CHECKING:

    class _Fields(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            # the annotations are not taken from `body`, which may lack them since Python 3.14
            names = type(name, (), dict(body)).__annotations__
            defaults = [body.pop(field) for field in names if field in body]
            made = namedtuple(name, names, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_Fields, "NamedTuple", (), {})  # to type checkers this is typing.NamedTuple
