"""Log records without the passwords of URLs.

    handler.addFilter(urlsm.logging.MaskURLs())

A filter of a handler sees what every logger sends there; one of a logger sees only the records made with that logger.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from typing import Any

from urlsm.errors.masking import without_passwords
from urlsm.url.masked import has_password_in_path, masked
from urlsm.url.value import URL, try_parse

__all__ = ["MaskURLs"]

_TOKEN = re.compile(r"""[A-Za-z][A-Za-z0-9+.-]*:[^\s"'<>]*@[^\s"'<>]*""")  # what may be a URL with a password
_FORMATTER = logging.Formatter()


class MaskURLs(logging.Filter):
    """A filter that lets every record pass, with "***" for the passwords of URLs in it.

    It masks them in the message and in each argument (a URL object, a str, or any object by what str makes of it), and
    in the texts of exceptions. A record without them stays as it is; a template and its arguments stay apart where
    they can. The record is changed for all handlers that see it later.

    Args:
        name: as of logging.Filter: only records of this logger and those below it are masked. All pass.
        secrets: names of query parameters, in any case, whose values are masked too ("token", "sig"), besides all whose
            names end in "password".
    """

    def __init__(self, name: str = "", *, secrets: Iterable[str] = ()) -> None:
        super().__init__(name)
        self.secrets = frozenset([secret.lower() for secret in ([secrets] if isinstance(secrets, str) else secrets)])

    def filter(self, record: logging.LogRecord) -> bool:
        if self.name and not super().filter(record):
            return True
        if record.args:
            self._mask_arguments(record)
        else:
            shown = self.masked(said := str(record.msg))
            if shown is not said:
                record.msg = shown
        if record.exc_info and not record.exc_text:
            shown = self.masked(said := _FORMATTER.formatException(record.exc_info))
            if shown is not said:
                record.exc_text = shown
        elif record.exc_text:
            record.exc_text = self.masked(record.exc_text)
        return True

    def masked(self, text: str) -> str:
        """text with "***" for each password of a URL, and each value of a secret parameter; the text itself, if it
        has none."""
        folded = text.lower()
        secret = self.secrets and any(name in folded for name in self.secrets)
        if "@" not in text and "password" not in folded and not secret:
            return text
        shown = without_passwords(text, secrets=self.secrets)
        shown = _TOKEN.sub(self._masked_token, shown) if "@" in shown else shown
        return text if shown == text else shown

    def _masked_token(self, found: re.Match[str]) -> str:
        """The URL alone: in it, dialects and schemes see passwords that running text hides."""
        text = found[0]
        url = try_parse(text)
        if url is not None and has_password_in_path(url):
            return masked(url)
        return without_passwords(text, secrets=self.secrets)

    def _mask_arguments(self, record: logging.LogRecord) -> None:
        try:
            said = record.getMessage()
        except Exception:  # the handler reports it, and the arguments with it
            said = None
        if said is not None and self.masked(said) is said:
            return
        args: Any = record.args
        if isinstance(args, Mapping):
            record.args = {key: self._argument(value) for key, value in args.items()}
        else:
            record.args = tuple([self._argument(value) for value in args])
        if said is None:
            return
        shown = self.masked(said := record.getMessage())
        if shown is not said:  # a password in the template, or in what an argument shows of itself
            record.msg, record.args = shown, None

    def _argument(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.masked(value)
        return self.masked(masked(value)) if isinstance(value, URL) else value
