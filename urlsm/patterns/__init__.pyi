# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.patterns.errors import LintFinding as LintFinding
from urlsm.patterns.errors import PatternError as PatternError
from urlsm.patterns.explaining import Explanation as Explanation
from urlsm.patterns.rule import Rule as Rule
from urlsm.patterns.sets import PatternMatch as PatternMatch
from urlsm.patterns.sets import PatternSet as PatternSet
from urlsm.patterns.syntax import Syntax as Syntax

__all__ = ["Explanation", "LintFinding", "PatternError", "PatternMatch", "PatternSet", "Rule", "Syntax"]
