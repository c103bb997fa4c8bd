"""The writing half of a parse: it serialises hosts, paths and all else that is not normal, as the URL Standard says,
without the lock and without objects."""
