"""What urlsm raises.

ValueError
└── ParseError     the text is no URL under the dialect asked for

A ParseError stores facts and makes its text when asked. Its text, repr and args never hold a password.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.violations import Rule

__all__ = ["ParseError"]


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

    def __init__(self, url, row, step, octet, removed_from=-1):
        self.args = (row,)
        self.url = url
        self._facts = (step, octet, removed_from)

    @property
    def _rule(self) -> Rule:
        from urlsm.violations import TABLE

        return TABLE[self.args[0]]

    @property
    def code(self) -> str:
        return self._rule.code

    @property
    def reference(self) -> str:
        return self._rule.reference

    @property
    def state(self) -> str:
        from urlsm.trace import step_name

        return step_name(self._facts[0])

    @property
    def position(self) -> int:
        from urlsm.text import position_of

        return position_of(self.url, self._facts[1], self._facts[2])

    def __str__(self) -> str:
        from urlsm.excerpt import with_caret

        rule = self._rule
        return f"{rule.code} in {self.state}: {rule.message}\n{with_caret(self.url, self.position)}"

    def __repr__(self) -> str:
        return f"ParseError({self.code!r}, position={self.position}, state={self.state!r})"

    def __reduce__(self):
        return type(self), (self.url, self.args[0], *self._facts)
