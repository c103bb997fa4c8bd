"""The arguments of a command, parsed without argparse if they are simple.

argparse, with the modules that it loads (re, gettext, shutil), takes longer than everything else: with argparse, `urlsm
parse URL` takes 2.8 times as long as an empty program; without it, 1.4 times as long. So the functions that declare
the arguments of a command declare them to the classes here first. A command line is simple if it meets two conditions.
Each option is a declared name, written in full, and an option with a value is followed by text that does not begin with
"-". The positional arguments are together, and their number is as declared. argparse would read such a line in the same
way, because nothing in it is abbreviated or joined, and there is no "--". argparse parses all other command lines and
reports their errors.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

__all__ = ["Declared", "Given"]


class Given:
    """The arguments by name, like argparse's Namespace."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__


class _Argument:
    def __init__(self, dest: str, action: str, nargs: str | None, default: Any, given: dict[str, Any]) -> None:
        self.dest = dest
        self.action = action
        self.nargs = nargs  # for a positional argument: None (exactly one), "?", "*" or "+"
        self.default = [] if default is None and nargs == "*" else default
        self.type: Callable[[str], Any] = given.get("type") or str
        self.choices: Sequence[Any] | None = given.get("choices")
        self.group: _Group | None = given.get("group")

    def read(self, text: str) -> Any:
        """Convert a string to the argument's value. Raise ValueError if `type` rejects it or it is not one of the
        choices."""
        value = self.type(text)
        if self.choices is not None and value not in self.choices:
            raise ValueError(text)
        return value


class _Group:
    """Mutually exclusive options."""

    def __init__(self, declared: Declared) -> None:
        self.declared = declared

    def add_argument(self, *names: str, **given: Any) -> None:
        self.declared.add_argument(*names, group=self, **given)


class Declared:
    """A stand-in for a command's ArgumentParser that records the arguments declared on it."""

    epilog: str | None = None

    def __init__(self, name: str, refuse: Callable[[str, str], NoReturn]) -> None:
        """Make a stand-in for the command `name`. refuse: a function that ends the program with an error message about
        a command."""
        self.name = name
        self._refuse = refuse
        self._options: dict[str, _Argument] = {}
        self._places: list[_Argument] = []  # the positional arguments, in order; only the last one may have "*" or "+"
        self._values: dict[str, Any] = {}

    def add_argument(
        self,
        *names: str,
        dest: str = "",
        action: str = "store",
        nargs: str | None = None,
        default: Any = None,
        **given: Any,
    ) -> None:
        if action == "store_true":
            default = False
        long = [name for name in names if name[:2] == "--"]
        made = _Argument(dest or (long or names)[0].lstrip("-").replace("-", "_"), action, nargs, default, given)
        if names[0][0] == "-":
            self._options.update(dict.fromkeys(names, made))
        else:
            self._places.append(made)
        self._values[made.dest] = made.default

    def add_argument_group(self, title: str) -> Declared:
        return self

    def add_mutually_exclusive_group(self) -> _Group:
        return _Group(self)

    def set_defaults(self, **values: Any) -> None:
        self._values.update(values)

    def error(self, message: str) -> NoReturn:
        self._refuse(self.name, message)

    def read(self, texts: Sequence[str]) -> Given | None:
        """Return the values of the arguments, or None if the command line is not simple."""
        values = dict(self._values)
        unnamed: list[str] = []
        end = 0  # where the positional arguments end
        one_of: dict[_Group, _Argument] = {}
        k = 0
        try:
            while k < len(texts):
                text = texts[k]
                k += 1
                if text[:1] != "-" or text == "-":
                    if unnamed and end != k - 1:
                        return None
                    unnamed.append(text)
                    end = k
                    continue
                option = self._options[text]
                if option.group is not None and one_of.setdefault(option.group, option) is not option:
                    return None
                if option.action == "store_true":
                    values[option.dest] = True
                    continue
                value = texts[k]
                if value[:1] == "-" and value != "-":
                    return None
                k += 1
                read = option.read(value)
                values[option.dest] = [*values[option.dest], read] if option.action == "append" else read
            for place in self._places:
                taken = unnamed if place.nargs in ("*", "+") else unnamed[:1]
                unnamed = unnamed[len(taken) :]
                if taken:
                    found = [place.read(text) for text in taken]
                    values[place.dest] = found if place.nargs in ("*", "+") else found[0]
                elif place.nargs not in ("*", "?"):
                    return None
        except Exception:  # an option is unknown or lacks its value, or an argument refuses its value
            return None
        return None if unnamed else Given(**values)
