"""Lists of rules about URLs: a set of patterns of any syntax on one compiled matcher, and a lint."""
