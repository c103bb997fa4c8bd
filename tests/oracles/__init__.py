"""Comparisons with other programs, an exhaustive search of short texts, and a fuzzer.

Node's URL and whatwg-url, java.net.URI (rfc2396), libpq and pymongo are each asked in one batch, and skipped where they
are absent. A known difference is a row (rows.py): a name, a reason, a narrow judge of each case. Any other fails.
scope.py tries every short text over one octet of each class of octets/chars.h. answers.py keeps a hash of each
function's answers to all texts of a few pieces. fuzz.py mutates texts towards new states and codes; entries.py says
what has to hold. judges.py compares the plain ways of the judging functions with their long way. spark_cluster.py
kills a worker of a cluster on loopback amidst a job. Random draws use
support/seeds.py: the cases are fixed unless URLSM_SEED is set.
"""
