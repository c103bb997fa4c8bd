"""Live servers and routers on loopback: what each makes of the target of a request.

    cd tests && python -m oracles.hops.compare                       compares those that are installed with urlsm.server
    cd tests && python -m oracles.hops.compare nginx -n 100000       these, on so many targets
    cd tests && python -m oracles.hops.compare --record 2026-11-26   writes tests/data/hops.json.xz

programs.py finds the programs. A module per server starts it in a temporary folder, on free ports of 127.0.0.1, and
ends it. sockets.py sends the octets of each target as they are, without a client library. upstream.py answers
with the target that it received. targets.py makes the targets. recorded.py is the file, and
tests/server/test_hops_recorded.py replays it.

Each server has rules for /admin, for what is below it, and for all else, in its own way of writing. A rule answers with
its letter ("R", "A", "O") and the path that the program matched on; nginx and others have one rule for both, "A".
"""
