"""The meaning of a URL, by the handler of its scheme."""
