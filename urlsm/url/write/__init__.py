"""The writing half of a parse: it serialises hosts, paths and all other components that are not in normal form, as the
URL Standard says. Unless there is a log, it needs neither the interpreter's lock nor Python objects."""
