"""Other programs that the engine is held to, a small scope searched whole, and a fuzzer.

Node's URL and whatwg-url, java.net.URI (rfc2396), libpq and pymongo are each asked in one batch, and skipped where they
are absent. A known difference is a row (rows.py): a name, a reason, a narrow judge of each case. Any other fails.
scope.py tries every short text over one octet of each class that octets/chars.h tells apart. answers.py keeps a hash
of what each function answers to all texts of a few pieces. fuzz.py mutates texts towards states and codes not seen;
entries.py says what has to hold. judges.py holds the plain ways of the judging functions to their long way. What is
drawn at random asks support/seeds.py: the cases are fixed unless URLSM_SEED is set.
"""
