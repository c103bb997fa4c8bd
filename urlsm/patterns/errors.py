"""What may be wrong with a pattern: it cannot be read, or is probably a mistake; and a value that is not safe."""

from __future__ import annotations

from urlsm.octets.records import NamedTuple

__all__ = ["LintFinding", "PatternError", "UnsafeValue", "shortened"]

_MOST = 500  # a message with more characters than this is cut


def shortened(message: str) -> str:
    """Return a message. The middle of a long message is left out, because it quotes untrusted text."""
    return message if len(message) <= _MOST else f"{message[: _MOST // 2]} ... {message[-_MOST // 2 :]}"


class PatternError(ValueError):
    """Raised for an invalid line of a list, or an invalid pattern.

    Args:
        code: the reason, as a word that does not change in later versions.
        message: the reason, as a sentence.
        pattern: the text of the pattern.
        position: the position in the pattern, in characters.
        line: the line number in the list, counted from 1.

    Example:
        >>> try:
        ...     PatternSet(["https://example.com/x"], "origins")
        ... except PatternError as error:
        ...     error.code, error.line, error.position
        ('no-origin', 1, 19)
    """

    code: str
    message: str
    pattern: str
    position: int
    line: int

    def __init__(self, code: str, message: str, pattern: str = "", position: int = 0, line: int = 1) -> None:
        super().__init__(code, message, pattern, position, line)  # the arguments that a pickle stores
        self.code, self.message, self.pattern, self.position, self.line = code, message, pattern, position, line

    def __str__(self) -> str:
        said = f"{self.message} ({self.code}, line {self.line})"
        if not self.pattern:
            return said
        from urlsm.errors.excerpt import with_caret

        return f"{said}\n{with_caret(self.pattern, self.position)}"

    def __repr__(self) -> str:
        return f"PatternError({self.code!r}, line={self.line}, position={self.position})"


PatternError.__module__ = "urlsm.patterns"


class UnsafeValue(ValueError):
    """Raised by Template.match for a value that could lead to another directory (path traversal, CWE-22).

    A template that matched raises this instead of returning None, so that no laxer template is tried.

    Attributes:
        name: the name of the variable.
        reason: "slash", "backslash", "nul", "dot-segment", or "climbs" if the value leaves its directory.

    Example:
        >>> try:
        ...     urlsm.Template("/files/{name}").match("/files/..%2Fsecret")
        ... except urlsm.UnsafeValue as error:
        ...     error.name, error.reason
        ('name', 'slash')
    """

    __module__ = "urlsm"

    name: str
    reason: str

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason

    def __str__(self) -> str:
        return f"the value of {self.name!r} is unsafe ({self.reason})"


class LintFinding(NamedTuple):
    """A probable mistake in a pattern.

    Attributes:
        code: a word that does not change in later versions.
        line: the line number in the list, counted from 1.
        position: the position in the pattern, in characters.
        pattern: the text of the pattern.
        message: what is wrong, as a sentence.
        witness: a URL that shows the mistake by being in the set, or by not being in it. "" if the line itself shows
        it.

    Example:
        >>> [(found.code, found.line) for found in PatternSet("https://*.github.io/**", "glob").lint()]
        [('public-suffix', 1)]
    """

    code: str
    line: int
    position: int
    pattern: str
    message: str
    witness: str


LintFinding.__module__ = "urlsm.patterns"
