"""The errors that urlsm raises.

ValueError
└── ParseError the text is not a URL in the requested dialect
    └── SchemeError  the scheme's handler cannot read or write the rest of the URL
RuntimeError
└── PluginError      a plug-in handler could not be loaded

A ParseError stores facts, and builds its message only when str() asks for it. Its message, repr and args never contain
a password.
"""

from urlsm.machine.driver import Refusal

# The first refused text loads this file. Annotations are strings, because importing __future__ would take as long as
# loading all of this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.errors.rules import Rule, Violation
    from urlsm.url.value import StrOrURL

    _Facts = tuple[int, int, int] | tuple[int, int, int, str]

__all__ = ["ParseError", "PluginError", "SchemeError"]


def __dir__() -> list[str]:
    return [*__all__]


_ROLES = {  # messages for a text without a scheme
    "base": "the base URL has no scheme",
    "document": "the URL has no scheme (such as https:)",
    "relative": "the URL is relative, and its base has an opaque path (mailto:, data: ...)",
}


class ParseError(Refusal):
    """Raised for text that is not a valid URL in the requested dialect. `str()` shows where the error is, but never a
    password.

    Attributes:
        url: the URL as given (str, bytes or URL). It may contain a password; the other attributes never do.
        code: the name of the error, from the URL Standard if it defines one.
        message: what is wrong, in one sentence.
        position: the index of the error in `url`, in characters (in bytes, if `url` is bytes). It may equal the length
            of `url`.
        state: the parser state that failed, as named in the URL Standard or, in other dialects, in Barth's draft.
        reference: the document and section that define the rule.
        hint: a suggestion, which `str()` adds to the message; "" if there is none.

    Example:
        >>> try:
        ...     urlsm.parse("http://a b/")
        ... except urlsm.ParseError as error:
        ...     print(error.code, error.position, error.message, sep="; ")
        domain-to-ASCII; 8; the host contains a space

    https://url.spec.whatwg.org/#validation-error
    """

    __module__ = "urlsm"
    hint = ""
    _role = ""  # "base", "document": the URL of a base, of a document; "relative": it was resolved against a base

    @property
    def _rule(self) -> "Rule":
        from urlsm.errors.rules import TABLE

        row: int = self.args[0]
        return TABLE[row]

    @property
    def code(self) -> str:
        """The name of the error, from the URL Standard if it defines one.

        Example:
            >>> try: urlsm.parse("http://h:x/")
            ... except urlsm.ParseError as error: error.code
            'port-invalid'
        """
        return self._rule.code

    @property
    def message(self) -> str:
        """What is wrong, in one sentence without secrets.

        Example:
            >>> try: urlsm.parse("http://h:x/")
            ... except urlsm.ParseError as error: error.message
            'the port contains a character that is not a digit'
        """
        from urlsm.errors.excerpt import cause

        if self._role and self.code == "missing-scheme-non-relative-URL":
            return _ROLES[self._role]
        return cause(self.url, self.code) or self._rule.message

    @property
    def reference(self) -> str:
        """The document and section that define the rule.

        Example:
            >>> try: urlsm.parse("http://h:x/")
            ... except urlsm.ParseError as error: error.reference
            'https://url.spec.whatwg.org/#url-parsing'
        """
        return self._rule.reference

    @property
    def state(self) -> str:
        """The parser state that failed.

        Example:
            >>> try: urlsm.parse("http://h:x/")
            ... except urlsm.ParseError as error: error.state
            'port state'
        """
        from urlsm.machine.steps import step_name

        return step_name(self.facts[0], *self.facts[3:])

    @property
    def position(self) -> int:
        """The index of the error in `url`, in characters (in bytes, if `url` is bytes).

        Example:
            >>> try: urlsm.parse("http://h:x/")
            ... except urlsm.ParseError as error: error.position
            9
        """
        from urlsm.octets.text import position_of

        return position_of(self.url, self.facts[1], self.facts[2])

    def __str__(self) -> str:
        if not (self.args and isinstance(self.args[0], int)):  # the parser has not made this error
            return super().__str__()
        from urlsm.errors.excerpt import meant, with_caret

        hint = self.hint
        if not hint and self._role != "relative" and self.code == "missing-scheme-non-relative-URL":
            hint = meant(self.url)
        said = f"{self.message} ({self.code}, in the {self.state})"
        return f"{said}{hint}\n{with_caret(self.url, self.position)}"

    def __repr__(self) -> str:
        if not (self.args and isinstance(self.args[0], int)):
            return super().__repr__()
        return f"{type(self).__name__}({self.code!r}, position={self.position}, state={self.state!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.args[0], self.url, self.facts), vars(self) or None


def _rebuilt(cls: type[ParseError], row: int, url: "StrOrURL", facts: "_Facts") -> ParseError:
    error = cls(row)
    error.url = url
    error.facts = facts
    return error


class SchemeError(ParseError):
    """Raised for a URL that breaks the rules of its scheme, so that its parts cannot be read or written.

    Attributes:
        violation: the rule that is broken. The attributes of ParseError come from it; `state` is the component.

    Example:
        >>> try:
        ...     urlsm.parts("tel:x y")
        ... except urlsm.SchemeError as error:
        ...     print(error.code, error.position, sep="; ")
        character-not-allowed; 4
    """

    __module__ = "urlsm"

    def __init__(self, violation: "Violation", url: "StrOrURL" = "") -> None:
        super().__init__(violation)
        self.violation = violation
        self.url = url

    @property
    def code(self) -> str:
        """The code of the broken rule.

        Example:
            >>> try: urlsm.parts("tel:x y")
            ... except urlsm.SchemeError as error: error.code
            'character-not-allowed'
        """
        return self.violation.code

    @property
    def message(self) -> str:
        """What is wrong, in one sentence.

        Example:
            >>> try: urlsm.parts("tel:x y")
            ... except urlsm.SchemeError as error: error.message
            'this character must be percent-encoded here'
        """
        return self.violation.message

    @property
    def reference(self) -> str:
        """The document and section that define the rule.

        Example:
            >>> try: urlsm.parts("tel:x y")
            ... except urlsm.SchemeError as error: error.reference
            'RFC 3966 section 3'
        """
        return self.violation.reference

    @property
    def state(self) -> str:
        """The component that breaks the rule.

        Example:
            >>> try: urlsm.parts("tel:x y")
            ... except urlsm.SchemeError as error: error.state
            'path'
        """
        return self.violation.component

    @property
    def position(self) -> int:
        """The index of the error in `url`, in characters (in bytes, if `url` is bytes).

        Example:
            >>> try: urlsm.parts("tel:x y")
            ... except urlsm.SchemeError as error: error.position
            4
        """
        return self.violation.position

    def __str__(self) -> str:
        from urlsm.errors.excerpt import with_caret

        said = f"{self.message} ({self.code}, in the {self.state})"
        return f"{said}\n{with_caret(self.url, self.position)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code!r}, position={self.position}, state={self.state!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.violation, self.url)


def scheme_error(text: str, code: str, component: str, position: int) -> SchemeError:
    """Return the error for a URL that breaks the rule with this code."""
    from urlsm.errors.rules import RULES, Violation

    rule = RULES[code]
    found = Violation(code, component, position, "error", rule.reference, rule.message)  # type: ignore[arg-type]
    return SchemeError(found, text)


class PluginError(RuntimeError):
    """Raised if a plug-in for a scheme cannot be used.

    The plug-in cannot be imported (the cause is chained), it is not a handler, or two distributions provide the same
    scheme.

    Example:
        >>> issubclass(urlsm.PluginError, RuntimeError)
        True
    """

    __module__ = "urlsm"
