"""Names that are loaded from their modules on first use: the public names of a package (PEP 562), or a single name."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["import_from", "later"]


def import_from(module: str, name: str) -> "Any":
    """Return the object with this name from a module, and import the module if necessary. (Loading importlib would take
    longer.)"""
    # the package is imported first, because importing from it can fail while another thread imports it
    __import__(module.rpartition(".")[0])
    return getattr(__import__(module, fromlist=["__name__"]), name)


def later(
    names: "dict[str, Any]", homes: "Mapping[str, str]", modules: "tuple[str, ...]" = ()
) -> "tuple[Callable[[str], Any], Callable[[], list[str]]]":
    """Return __getattr__ and __dir__ for a package.

    names: its globals(). homes: the module of each public name. modules: its public modules.
    """
    package = names["__name__"]

    def __getattr__(name: str) -> "Any":
        if name in modules:
            return __import__(f"{package}.{name}", fromlist=["__name__"])
        if name in homes:
            value = names[name] = import_from(homes[name], name)
            return value
        said = f"module {package!r} has no attribute {name!r}"
        if name[0] != "_":
            from difflib import get_close_matches

            for meant in get_close_matches(name, [*homes, *modules], 1, 0.75):
                said += f". Did you mean: {meant!r}?"
                # obj is left out: from it, the interpreter would make a suggestion of its own (Trace for "prase", not
                # parse)
                raise AttributeError(said, name=name)
        raise AttributeError(said, name=name, obj=sys.modules[package])

    def __dir__() -> "list[str]":
        return sorted({*names, *homes, *modules})

    return __getattr__, __dir__
