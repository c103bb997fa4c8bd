"""Benchmarks of urlsm and its peers, in one run, after a check of their answers. README.md says how to run them."""
