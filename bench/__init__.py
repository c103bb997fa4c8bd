"""Benchmarks: urlsm beside its peers, in one run, answers checked first. How to run them: README.md."""
