"""Names of a package, each loaded from its module on first use (PEP 562)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["later"]


def later(
    names: "dict[str, object]", homes: "Mapping[str, str]", modules: "tuple[str, ...]" = ()
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return __getattr__ and __dir__ for a package.

    names: its globals(). homes: the module of each public name. modules: its public modules.
    """

    def __getattr__(name: str) -> object:
        from importlib import import_module

        package = str(names["__name__"])
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in homes:
            # from name and obj the interpreter makes its suggestion
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=import_module(package))
        import_module(homes[name].rpartition(".")[0])  # first: while a thread imports it, importing from it can fail
        value = names[name] = getattr(import_module(homes[name]), name)
        return value

    def __dir__() -> "list[str]":
        return sorted({*names, *homes, *modules})

    return __getattr__, __dir__
