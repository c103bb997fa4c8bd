"""python -m urlsm.stdlib SCRIPT [ARGUMENT...]: run a program with urlsm.stdlib instead of urllib.parse.

python -m urlsm.stdlib -m MODULE [ARGUMENT...] runs a module.
"""

import os
import runpy
import sys

from urlsm.stdlib._install import install


def main() -> None:
    arguments = sys.argv[1:]
    as_module = arguments[:1] == ["-m"]
    if as_module:
        arguments = arguments[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(0 if arguments else 2)
    install()
    sys.argv = arguments
    if as_module:
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.realpath(arguments[0]))  # as the interpreter does for a script
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
