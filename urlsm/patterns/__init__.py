"""Lists of rules about URLs: a set of patterns of any syntax on one compiled matcher, and a lint."""

from urlsm.octets.later import later as _later

# the module of each public name; all load on first use
_HOMES = {
    "Explanation": "urlsm.patterns.explaining",
    "Lint": "urlsm.patterns.linting",
    "PatternError": "urlsm.patterns.errors",
    "PatternMatch": "urlsm.patterns.sets",
    "PatternSet": "urlsm.patterns.sets",
    "Rule": "urlsm.patterns.rule",
    "Syntax": "urlsm.patterns.syntax",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
