"""The writing half of a parse: hosts, paths and all else that is not normal, as the URL Standard serialises it; without
the lock, and without an object."""
