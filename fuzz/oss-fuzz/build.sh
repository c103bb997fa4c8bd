#!/bin/bash -eu
# What OSS-Fuzz runs: urlsm built with the compiler and the flags that it sets, and each harness as a program of its own.
pip3 install .
for harness in fuzz/fuzz_*.py; do
    compile_python_fuzzer "$harness"
done
