"""The words and instructions of programs, and the texts that they match, for C (patterns/opcodes.py).

Written by tools/tables.py.
"""

cdef enum:                   # the index of each word in a program, a piece or an instruction
    MOST = 4096              # the greatest number of instructions
    DEEPEST = 32             # the greatest depth of nested optional groups
    GREEDY = 0
    FULL = 1
    GREEDY_KIND = 0          # GREEDY
    GREEDY_PIECES = 1        # the number of literals
    GREEDY_ENDS = 2          # 1 if the last literal has to end the text
    GREEDY_WORDS = 3
    PIECE_AT = 0             # the index in the pool of the literal's octets
    PIECE_SIZE = 1           # the number of the literal's octets
    PIECE_TABLE = 2          # the index of the literal's table of Knuth, Morris and Pratt; 0 if there is none
    PIECE_WORDS = 3
    FULL_KIND = 0            # FULL
    FULL_COUNT = 1           # the number of instructions
    FULL_SPLITS = 2          # the number of SPLIT instructions
    FULL_LEVELS = 3          # the depth of nested optional groups, plus 1
    FULL_SAVED = 4           # the number of positions that SAVE stores: two for each group
    FULL_WORDS = 5
    INSTRUCTION_OP_B = 0     # the operation in the lowest four bits, and b in the others
    INSTRUCTION_A = 1
    INSTRUCTION_WORDS = 2
    SET_WORDS = 8

cdef enum Op:
    LITERAL                  # match the b octets at index a of the pool
    CLASS_OF                 # match one octet of the set at word a of the block
    ANY_OCTET                # match one octet
    SPLIT                    # go on at instruction a; if that fails, at b. An OF_SPLIT follows
    OF_SPLIT                 # never run: a is the number of the SPLIT before it, b the number of groups around it
    JUMP                     # go on at instruction a
    SAVE                     # save the position under the number a
    MARK                     # an optional group begins: store the position in slot a (the number of groups around it)
    NONEMPTY                 # an optional group ends: fail if it is empty (it begins at the position in slot a)
    AT_END                   # match the end of the text
    SPAN                     # match as many octets of the set at word a of the block as there are, but at least b
    STAR                     # match the fewest octets of the set at word a (0: of any octets); b counts as a SPLIT
    DONE                     # succeed
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
