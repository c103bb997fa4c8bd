"""Build with gcc's profiles of what training.py does: tenths faster, for wheels. Linux and gcc only.

    python tools/pgo.py PROFILE          train, with this Python; needs setuptools, Cython and idna
    CFLAGS="$(python tools/pgo.py PROFILE --flags)" pip wheel . --no-deps

Both from the repository's root: gcc finds the profile of an object file by the path of that file. A build from source
stays as it is, as nothing but CFLAGS tells it of a profile.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Never without libcall: with a profile, gcc would copy short texts by `rep movs`, which takes longer than all else.
# Partial: what was not trained is not made small instead of fast.
FLAGS = "-fprofile-use={} -fprofile-partial-training -Wno-missing-profile -mstringop-strategy=libcall"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("profile", type=lambda text: Path(text).resolve(), help="folder of the profile")
    parser.add_argument("--flags", action="store_true", help="print the CFLAGS of a build that uses it")
    options = parser.parse_args()
    if options.flags:
        print(FLAGS.format(options.profile))
    else:
        train(options.profile)


def train(profile: Path) -> None:
    """Build in build/, run the training there, and remove all that was built, so that it is built again."""
    build = ROOT / "build"
    library = build / "trained"
    shutil.rmtree(profile, ignore_errors=True)
    shutil.rmtree(build, ignore_errors=True)
    # atomic: some functions release the lock. -O2 and the like come from setup.py
    flags = f"-fprofile-generate={profile} -fprofile-update=atomic"
    command = [sys.executable, "setup.py", "-q", "build", "--build-lib", str(library)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "CFLAGS": flags, "LDFLAGS": flags}, check=True)
    environment = {**os.environ, "PYTHONPATH": str(library)}
    subprocess.run([sys.executable, str(ROOT / "tools/training.py")], cwd=build, env=environment, check=True)
    shutil.rmtree(build)
    print(f"{len(list(profile.glob('*.gcda')))} profiles in {profile}")


if __name__ == "__main__":
    main()
