"""The words and instructions of programs, and the texts they match, as C sees them: patterns/opcodes.py.

Written by tools/tables.py.
"""

cdef enum:                   # words by their place in a program, a piece or an instruction
    DEEPEST = 32             # optional groups within each other
    GREEDY = 0
    FULL = 1
    GREEDY_KIND = 0          # GREEDY
    GREEDY_PIECES = 1        # the number of literals
    GREEDY_ENDS = 2          # 1 if the last one has to end the text
    GREEDY_WORDS = 3
    PIECE_AT = 0             # where its octets are in the pool
    PIECE_SIZE = 1           # the number of its octets
    PIECE_TABLE = 2          # the place of the table of Knuth, Morris and Pratt; 0: a short literal has none
    PIECE_WORDS = 3
    FULL_KIND = 0            # FULL
    FULL_COUNT = 1           # the number of instructions
    FULL_SPLITS = 2          # the number of splits
    FULL_LEVELS = 3          # the most optional groups within each other, plus 1
    FULL_SAVED = 4           # the number of saved positions: two for each group
    FULL_WORDS = 5
    INSTRUCTION_OP = 0
    INSTRUCTION_A = 1
    INSTRUCTION_B = 2
    INSTRUCTION_WORDS = 3
    SET_WORDS = 8

cdef enum Op:
    LITERAL                  # the b octets from a in the pool
    CLASS_OF                 # one octet of the set at a (relative to the program)
    ANY_OCTET
    SPLIT                    # go on at a, or else at b; an OF_SPLIT follows
    OF_SPLIT                 # never run: the number of the split before it is a, the optional groups around it are b
    JUMP                     # to a
    SAVE                     # the position, in a
    MARK                     # an optional group begins, within a others
    NONEMPTY                 # that group must not be empty
    AT_END
    SPAN                     # as many octets of the set at a as there are; at least b
    DONE
    OP_COUNT

cdef enum Kind:
    TARGET
    PATH
    HREF
    WHOLE
    PROTOCOL
    USERNAME
    PASSWORD
    HOSTNAME
    PORT
    SEARCH
    HASH
    QUERY
    CASED_TARGET
    CASED
