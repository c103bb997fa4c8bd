"""The layout of the matcher's programs, in words of 32 bits. tools/tables.py reads this file, without importing the
package, and writes opcodes.pxd for C.

A program that consists of literals, "*" and, at its end, "$" is GREEDY: it has a head, then a piece for each literal.
Any other program is FULL: it has a head, then its instructions, then its sets of octets (a bit for each of the 256).
"""

DEEPEST = 32  # levels of nested optional groups; a run keeps the beginning of each

# the words of each part in order: a name, and its meaning
KINDS = (("greedy", ""), ("full", ""))
GREEDY_HEAD = (
    ("kind", "GREEDY"),
    ("pieces", "the number of literals"),
    ("ends", "1 if the last one has to end the text"),
)
PIECE = (
    ("at", "where its octets are in the pool"),
    ("size", "the number of its octets"),
    ("table", "the place of the table of Knuth, Morris and Pratt; 0: a short literal has none"),
)
FULL_HEAD = (
    ("kind", "FULL"),
    ("count", "the number of instructions"),
    ("splits", "the number of splits"),
    ("levels", "the most optional groups within each other, plus 1"),
    ("saved", "the number of saved positions: two for each group"),
)
INSTRUCTION = (("op", ""), ("a", ""), ("b", ""))
SET_WORDS = 8

OPCODES = (
    ("literal", "the b octets from a in the pool"),
    ("class_of", "one octet of the set at a (relative to the program)"),
    ("any_octet", ""),
    ("split", "go on at a, or else at b; an OF_SPLIT follows"),
    ("of_split", "never run: the number of the split before it is a, the optional groups around it are b"),
    ("jump", "to a"),
    ("save", "the position, in a"),
    ("mark", "an optional group begins, within a others"),
    ("nonempty", "that group must not be empty"),
    ("at_end", ""),
    ("span", "as many octets of the set at a as there are; at least b"),
    ("done", ""),
)
LITERAL, CLASS_OF, ANY_OCTET, SPLIT, OF_SPLIT, JUMP, SAVE, MARK, NONEMPTY, AT_END, SPAN, DONE = range(len(OPCODES))

# the texts of a URL that a check can compare
TEXTS = (
    *("target", "path", "href", "whole", "protocol", "username", "password", "hostname", "port", "search", "hash"),
    *("query", "cased_target", "cased"),
)
