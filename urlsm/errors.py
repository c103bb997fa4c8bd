"""What urlsm raises.

ValueError
└── ParseError       the text is no URL under the dialect asked for
    └── SchemeError  what follows the scheme is not what the scheme's handler can read, or write
RuntimeError
└── PluginError      an installed plug-in's handler cannot be had

A ParseError stores facts and makes its text when asked. Its text, repr and args never hold a password.
"""

# Loaded by `import urlsm`: no __future__, which costs as much as this file, and annotations as strings.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url import StrOrURL
    from urlsm.violations import Rule, Violation

    # step, octet of what was read, where removal began, and the dialect if it is not whatwg
    _Facts = tuple[int, int, int] | tuple[int, int, int, str]

__all__ = ["ParseError", "PluginError", "SchemeError"]


class ParseError(ValueError):
    """A text that a dialect's parser refuses.

    Attributes:
        url: the text as given (str, bytes or URL). May hold a password; the other attributes do not.
        code: why; the URL Standard's name of the validation error where it has one
            (https://url.spec.whatwg.org/#validation-error), else ours.
        position: where, in characters of the text as given (bytes of bytes); may be its length.
        state: the state of the URL Standard, or the step of the draft, that refused.
        reference: where the rule stands.
    """

    # Made by the parser as ParseError(row of the table), the attributes set after it: all that a
    # refusal costs.
    url: "StrOrURL" = ""
    facts: "_Facts" = (0, 0, -1)

    @property
    def rule(self) -> "Rule":
        """The row of urlsm.violations.TABLE."""
        from urlsm.violations import TABLE

        row: int = self.args[0]
        return TABLE[row]

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def reference(self) -> str:
        return self.rule.reference

    @property
    def state(self) -> str:
        from urlsm.trace import step_name

        return step_name(self.facts[0], *self.facts[3:])

    @property
    def position(self) -> int:
        from urlsm.text import position_of

        return position_of(self.url, self.facts[1], self.facts[2])

    def __str__(self) -> str:
        if not (self.args and isinstance(self.args[0], int)):  # not made by the parser
            return super().__str__()
        from urlsm.excerpt import with_caret

        return f"{self.code} in the {self.state}: {self.rule.message}\n{with_caret(self.url, self.position)}"

    def __repr__(self) -> str:
        if not (self.args and isinstance(self.args[0], int)):
            return super().__repr__()
        return f"ParseError({self.code!r}, position={self.position}, state={self.state!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.args[0], self.url, self.facts)


def _rebuilt(cls: type[ParseError], row: int, url: "StrOrURL", facts: "_Facts") -> ParseError:
    error = cls(row)
    error.url = url
    error.facts = facts
    return error


class SchemeError(ParseError):
    """A text whose scheme-specific part cannot be read (URL.parts), is invalid (parts, build) or cannot be said
    (build).

    Attributes: as ParseError's; violation: the rule broken.
    """

    def __init__(self, violation: "Violation", url: "StrOrURL" = "") -> None:
        super().__init__(violation)
        self.violation = violation
        self.url = url

    @property
    def code(self) -> str:
        return self.violation.code

    @property
    def reference(self) -> str:
        return self.violation.reference

    @property
    def state(self) -> str:
        """The component at fault: the machine has no part in it."""
        return self.violation.component

    @property
    def position(self) -> int:
        return self.violation.position

    def __str__(self) -> str:
        from urlsm.excerpt import with_caret

        return f"{self.code} in the {self.state}: {self.violation.message}\n{with_caret(self.url, self.position)}"

    def __repr__(self) -> str:
        return f"SchemeError({self.code!r}, position={self.position}, component={self.state!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.violation, self.url)


def scheme_error(text: str, code: str, component: str, position: int) -> SchemeError:
    """The error for a rule of the table that a text breaks."""
    from urlsm.violations import RULES, Violation

    rule = RULES[code]
    return SchemeError(Violation(code, component, position, "error", rule.reference, rule.message), text)


class PluginError(RuntimeError):
    """A handler that an installed distribution announces cannot be had: importing it failed (the cause is chained), it
    is no handler, or two distributions announce it."""
