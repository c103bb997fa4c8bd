"""The layout of the matcher's programs, in 32-bit words. tools/tables.py reads this file, without importing the
package, and writes opcodes.pxd for C.

A program that consists of literals, "*" and, at its end, "$" is GREEDY: it has a head, then a piece for each literal.
Any other program is FULL: it has a head, then its instructions. The bytes of literals are not in the program, but in a
pool that all programs of a matcher share, and its sets of bytes (a bit for each of the 256) are in the block, each
once.
"""

MOST = 4096  # a FULL program may have at most this many instructions
DEEPEST = 32  # the greatest depth of nested optional groups; a run stores where each of them begins

# the words of each part, in order: the name of a word, and its meaning
KINDS = (("greedy", ""), ("full", ""))
GREEDY_HEAD = (
    ("kind", "GREEDY"),
    ("pieces", "the number of literals"),
    ("ends", "1 if the last literal has to end the text"),
)
PIECE = (
    ("at", "the index in the pool of the literal's octets"),
    ("size", "the number of the literal's octets"),
    ("table", "the index of the literal's table of Knuth, Morris and Pratt; 0 if there is none"),
)
FULL_HEAD = (
    ("kind", "FULL"),
    ("count", "the number of instructions"),
    ("splits", "the number of SPLIT instructions"),
    ("levels", "the depth of nested optional groups, plus 1"),
    ("saved", "the number of positions that SAVE stores: two for each group"),
)
INSTRUCTION = (("op_b", "the operation in the lowest four bits, and b in the others"), ("a", ""))
SET_WORDS = 8

OPCODES = (
    ("literal", "match the b octets at index a of the pool"),
    ("class_of", "match one octet of the set at word a of the block"),
    ("any_octet", "match one octet"),
    ("split", "go on at instruction a; if that fails, at b. An OF_SPLIT follows"),
    ("of_split", "never run: a is the number of the SPLIT before it, b the number of groups around it"),
    ("jump", "go on at instruction a"),
    ("save", "save the position under the number a"),
    ("mark", "an optional group begins: store the position in slot a (the number of groups around it)"),
    ("nonempty", "an optional group ends: fail if it is empty (it begins at the position in slot a)"),
    ("at_end", "match the end of the text"),
    ("span", "match as many octets of the set at word a of the block as there are, but at least b"),
    ("star", "match the fewest octets of the set at word a (0: of any octets); b counts as a SPLIT"),
    ("done", "succeed"),
)

# the texts of a URL that a check can compare
TEXTS = (
    *("target", "path", "href", "whole", "protocol", "username", "password", "hostname", "port", "search", "hash"),
    *("query", "cased_target", "cased"),
)
