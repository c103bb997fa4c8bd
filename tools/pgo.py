"""Make gcc's profiles of training.py, for a faster build. Linux and gcc only.

    URLSM_PGO=1 pip install .            as wheels are built: setup.py runs this, then builds with the profiles

By itself, for several builds with one training, or to look at the profiles:

    python tools/pgo.py PROFILE          train, with this Python; needs setuptools and Cython
    URLSM_PROFILE=PROFILE pip wheel . --no-deps

Both from the repository's root: gcc finds the profile of an object file by the path of that file, so an editable
install, which builds in a folder of its own, finds no profile. The flags are in setup.py.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("profile", type=lambda text: Path(text).resolve(), help="folder of the profile")
    if sys.platform != "linux":
        parser.error("gcc's profiles are used on Linux only: build without URLSM_PGO")
    train(parser.parse_args().profile)


def train(profile: Path) -> None:
    """Build in build/, run the training there, and remove the build, so that it is built again."""
    build = ROOT / "build"
    library = build / "trained"
    shutil.rmtree(profile, ignore_errors=True)
    shutil.rmtree(build, ignore_errors=True)
    # atomic: some functions release the lock. -O2 and the like come from setup.py
    flags = f"-fprofile-generate={profile} -fprofile-update=atomic"
    # the variable takes the place of the interpreter's flags (-DNDEBUG -fwrapv), without which no profile would fit
    compiled = f"{sysconfig.get_config_var('CFLAGS')} {flags}"
    command = [sys.executable, "setup.py", "-q", "build", "--build-lib", str(library)]
    untrained = {name: value for name, value in os.environ.items() if name not in ("URLSM_PGO", "URLSM_PROFILE")}
    subprocess.run(command, cwd=ROOT, env={**untrained, "CFLAGS": compiled, "LDFLAGS": flags}, check=True)
    environment = {**untrained, "PYTHONPATH": str(library)}
    subprocess.run([sys.executable, str(ROOT / "tools/training.py")], cwd=build, env=environment, check=True)
    shutil.rmtree(build)
    print(f"{len(list(profile.glob('*.gcda')))} profiles in {profile}")


if __name__ == "__main__":
    main()
