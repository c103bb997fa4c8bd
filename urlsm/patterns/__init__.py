"""Allow-lists and block lists of URLs: sets of patterns in several syntaxes, each compiled into one matcher, and a
linter."""

from urlsm.octets.later import later as _later

# the module that defines each public name; all modules are loaded on first use
_HOMES = {
    "Explanation": "urlsm.patterns.explaining",
    "LintFinding": "urlsm.patterns.errors",
    "PatternError": "urlsm.patterns.errors",
    "PatternMatch": "urlsm.patterns.sets",
    "PatternSet": "urlsm.patterns.sets",
    "Rule": "urlsm.patterns.rule",
    "Syntax": "urlsm.patterns.syntax",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
