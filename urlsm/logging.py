"""Hide the passwords and tokens in URLs in log records.

    handler.addFilter(urlsm.logging.MaskURLs())

A filter on a handler sees the records of all loggers that send to the handler. A filter on a logger sees only the
records made with that logger.
"""

from __future__ import annotations

import builtins
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from urlsm.errors.masking import cut, masked_part, without_secrets
from urlsm.errors.secrets import Only
from urlsm.url.masked import spans_in
from urlsm.url.value import URL

__all__ = ["MaskURLs"]


def __dir__() -> list[str]:
    return __all__


_FORMATTER = logging.Formatter()
_OF_EVERY_RECORD = frozenset((*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"))
_DEEPEST = 20  # containers and exceptions are searched up to this depth
_GROUP: type[BaseException] | None = getattr(builtins, "BaseExceptionGroup", None)  # exists since Python 3.11


class MaskURLs(logging.Filter):
    """A logging filter that masks passwords, tokens and other secrets in URLs as "***". It never drops a record.

    It masks the message and its arguments, the fields of `extra=`, exceptions and `stack_info`. Add it to a handler,
    because a filter on a logger sees only the records made with that logger. A record without secrets does not change,
    and the program's own exception objects never change. docs/secrets.md lists the secret parameters.

    Args:
        name: the logger whose records are masked, including its child loggers; "" for all loggers.
        secrets: the names of additional secret parameters, such as "session" or "x_acme_*". "!sig" removes a name from
            the list.
        replace: whether `secrets` replaces urlsm's own list of names. User information is always masked.

    Raises:
        TypeError: `secrets` is a single str, or contains anything other than str.
        ValueError: a name is empty.

    Example:
        >>> import logging
        >>> handler = logging.StreamHandler()
        >>> handler.addFilter(MaskURLs(secrets=["session"]))
    """

    def __init__(self, *, name: str = "", secrets: Iterable[str] = (), replace: bool = False) -> None:
        if not isinstance(name, str):
            raise TypeError(f"name must be str, not {type(name).__name__}")
        super().__init__(name)
        if isinstance(secrets, (str, bytes)) or not isinstance(secrets, Iterable):
            raise TypeError(f"secrets must be an iterable of str, not {type(secrets).__name__}")
        given = [*secrets]
        for secret in given:
            if not isinstance(secret, str):
                raise TypeError(f"secrets must contain str, not {type(secret).__name__}")
            if not secret.strip("!"):
                raise ValueError(f"secrets must contain parameter names, not {secret!r}")
        kind = Only if replace else frozenset
        self.secrets: frozenset[str] = kind([secret.lower() for secret in given])

    def __repr__(self) -> str:
        shown = [f"name={self.name!r}"] if self.name else []
        shown += [f"secrets={sorted(self.secrets)}"] if self.secrets else []
        shown += ["replace=True"] if isinstance(self.secrets, Only) else []
        return f"MaskURLs({', '.join(shown)})"

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the secrets in a record. Handlers that see the record later also see it masked.

        Args:
            record: the log record.

        Returns:
            True, so that no record is dropped.

        Example:
            >>> import logging
            >>> record = logging.makeLogRecord({"msg": "GET %s", "args": ("http://u:pw@h/",)})
            >>> MaskURLs().filter(record), record.getMessage()
            (True, 'GET http://u:***@h/')
        """
        if self.name and not super().filter(record):
            return True
        if record.args:
            self._mask_arguments(record)
        else:
            shown = self.masked(said := str(record.msg))
            if shown is not said:
                record.msg = shown
        if record.exc_info and record.exc_info[1] is not None:
            self._mask_exception(record)
        elif record.exc_text:
            record.exc_text = self.masked(record.exc_text)
        if record.stack_info:
            record.stack_info = self.masked(record.stack_info)
        fields = vars(record)
        for name in fields.keys() - _OF_EVERY_RECORD:
            shown = self._field(name, fields[name])
            if shown is not fields[name]:
                fields[name] = shown
        return True

    def masked(self, text: str) -> str:
        """Replace each secret in the URLs in a string with "***". If there is no secret, return the same string object.

        Args:
            text: any string, such as a line from a log.

        Example:
            >>> MaskURLs().masked("GET http://me:hunter2@h/?token=abc")
            'GET http://me:***@h/?token=***'
        """
        return without_secrets(text, self.secrets, whole=False)

    def _mask_exception(self, record: logging.LogRecord) -> None:
        kind, error, trace = record.exc_info  # type: ignore[misc]
        shown = self.masked(said := record.exc_text or _FORMATTER.formatException((kind, error, trace)))  # type: ignore[arg-type]
        if shown is not said:
            stand_in = _stand_in(error, self.masked)  # type: ignore[arg-type]
            record.exc_info = type(stand_in), stand_in, trace
            record.exc_text = shown

    def _mask_arguments(self, record: logging.LogRecord) -> None:
        try:
            said = record.getMessage()
        except Exception:  # the handler will report the error, with the arguments
            said = None
        if said is not None and self.masked(said) is said:
            return
        args: Any = record.args
        if isinstance(args, Mapping):
            record.args = {key: self._field(key, value) for key, value in args.items()}
        else:
            record.args = tuple([self._field("", value) for value in args])
        if said is None:
            return
        shown = self.masked(said := record.getMessage())
        if shown is not said:  # there still is a secret: in the template, or in the repr of an argument
            record.msg, record.args = shown, None

    def _field(self, name: object, value: Any, depth: int = 0) -> Any:
        """Return the value of a field with its secrets masked. If it has no secrets, return the value itself."""
        if isinstance(name, str) and name and masked_part(name, "", self.secrets):
            return masked_part(name, value, self.secrets)  # the field has a secret name
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, URL):
            shown = cut(value.href, spans_in(value.href, value, self.secrets))
            return value if shown == value.href and self.masked(shown) is shown else self.masked(shown)
        if depth < _DEEPEST and type(value) in (list, tuple):
            items = [self._field("", item, depth + 1) for item in value]
            return value if all(map(_is, items, value)) else type(value)(items)
        if depth < _DEEPEST and type(value) is dict:
            fields = {key: self._field(key, item, depth + 1) for key, item in value.items()}
            return value if all(map(_is, fields.values(), value.values())) else fields
        return value


def _is(one: object, other: object) -> bool:
    return one is other


def _stand_in(error: BaseException, masked: Any, seen: dict[int, BaseException] | None = None) -> BaseException:
    """Return an exception that formatters show like `error`, but with its text masked. Its class has the same name and
    the same built-in base class. It has the same traceback, and its causes are replaced in the same way."""
    seen = {} if seen is None else seen
    if id(error) in seen:
        return seen[id(error)]
    kind = type(error)
    built_in: Any = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    try:
        said = masked(str(error))
    except Exception:
        said = "<exception str() failed>"  # the text that the module traceback uses in this case
    body = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__str__": lambda self: said}
    made: Any
    if _GROUP is not None and isinstance(error, _GROUP):
        within = [_stand_in(one, masked, seen) for one in error.exceptions]  # type: ignore[attr-defined]
        made = built_in.__new__(type(kind.__name__, (built_in,), body), masked(error.message), within)  # type: ignore[attr-defined]
    else:
        made = built_in.__new__(type(kind.__name__, (built_in,), body))
        made.args = (said,)
    seen[id(error)] = made
    made.__traceback__ = error.__traceback__
    if len(seen) < _DEEPEST * _DEEPEST:
        for name in ("__cause__", "__context__"):
            other = getattr(error, name)
            setattr(made, name, None if other is None else _stand_in(other, masked, seen))
    made.__suppress_context__ = error.__suppress_context__
    notes = getattr(error, "__notes__", None)
    if isinstance(notes, (list, tuple)):
        made.__notes__ = [masked(str(note)) for note in notes]
    stands: BaseException = made
    return stands
