"""Shared by the tests of the command line."""

import pytest

from urlsm.cli import app as cli


@pytest.fixture
def run(capsys):
    """Run the command line in this process: (exit code, standard output, standard error)."""

    def run(*argv):
        try:
            code = cli.main(argv)
        except SystemExit as stop:
            code = stop.code
        return code, *capsys.readouterr()

    return run
