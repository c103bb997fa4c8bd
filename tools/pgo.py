"""Build with gcc's profiles of what training.py does: tenths faster, for wheels. Linux and gcc only.

    python tools/pgo.py PROFILE          train, with this Python; needs setuptools and Cython
    URLSM_PROFILE=PROFILE pip wheel . --no-deps

Both from the repository's root: gcc finds the profile of an object file by the path of that file. The flags stand in
setup.py. A build from source stays as it is, as nothing else tells it of a profile.
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
    train(parser.parse_args().profile)


def train(profile: Path) -> None:
    """Build in build/, run the training there, and remove all that was built, so that it is built again."""
    build = ROOT / "build"
    library = build / "trained"
    shutil.rmtree(profile, ignore_errors=True)
    shutil.rmtree(build, ignore_errors=True)
    # atomic: some functions release the lock. -O2 and the like come from setup.py
    flags = f"-fprofile-generate={profile} -fprofile-update=atomic"
    # the variable takes the place of the interpreter's flags (-DNDEBUG -fwrapv), without which no profile would fit
    compiled = f"{sysconfig.get_config_var('CFLAGS')} {flags}"
    command = [sys.executable, "setup.py", "-q", "build", "--build-lib", str(library)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "CFLAGS": compiled, "LDFLAGS": flags}, check=True)
    environment = {**os.environ, "PYTHONPATH": str(library)}
    subprocess.run([sys.executable, str(ROOT / "tools/training.py")], cwd=build, env=environment, check=True)
    shutil.rmtree(build)
    print(f"{len(list(profile.glob('*.gcda')))} profiles in {profile}")


if __name__ == "__main__":
    main()
