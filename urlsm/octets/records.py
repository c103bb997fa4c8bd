"""Values with named fields, without the modules dataclasses and typing, which take longer to load than urlsm."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import Field
    from typing import Any, ClassVar, NamedTuple

    from typing_extensions import Self

__all__ = ["NamedTuple", "Record"]


class _AsDataclass:
    """The attribute that dataclasses (3.10 to 3.15) look for in a class, made on first access."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type[Record]) -> Any:
        from dataclasses import dataclass

        kinds = {name: owner.__init__.__annotations__[name] for name in owner.__match_args__}
        body = {"__annotations__": kinds, "__module__": __name__}
        twin: type = dataclass(frozen=True)(type(owner.__name__, (), body))
        return getattr(twin, self.name)


class Record:
    """A class like those of dataclass(frozen=True): == and hash of the fields, repr, no assignment; for asdict and
    replace, too.

    The fields of a subclass are the arguments of its __init__, which fills __dict__.
    """

    if TYPE_CHECKING:  # typing.get_type_hints would read an annotation, and ClassVar is not imported here
        __match_args__: ClassVar[tuple[str, ...]]
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    else:
        __match_args__ = ()
        __dataclass_fields__ = _AsDataclass()
        __dataclass_params__ = _AsDataclass()

    def __init_subclass__(cls) -> None:
        if Record in cls.__bases__ and "__init__" in vars(cls):  # a subclass of one keeps its fields
            names = [name for name in cls.__init__.__annotations__ if name != "return"]
            type.__setattr__(cls, "__match_args__", tuple(names))

    def _fields(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __repr__(self) -> str:
        said = [f"{name}={getattr(self, name)!r}" for name in self.__match_args__]
        return f"{type(self).__qualname__}({', '.join(said)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse("assign to", name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse("delete", name)
        super().__delattr__(name)

    def _refuse(self, what: str, name: str) -> None:
        if name in self.__match_args__ or "__match_args__" in vars(
            type(self)
        ):  # a subclass may have its own attributes
            from dataclasses import FrozenInstanceError

            raise FrozenInstanceError(f"cannot {what} field {name!r}")

    def __replace__(self, **changes: Any) -> Self:
        return type(self)(**{name: getattr(self, name) for name in self.__match_args__} | changes)


if not TYPE_CHECKING:

    class _Fields(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            names = type(name, (), dict(body)).__annotations__  # (from 3.14 on, body need not have them)
            defaults = [body.pop(field) for field in names if field in body]
            made = namedtuple(name, names, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_Fields, "NamedTuple", (), {})  # the one of typing
