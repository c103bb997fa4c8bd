"""python -m urlsm"""

import sys

from urlsm.cli import main

if __name__ == "__main__":
    sys.exit(main())
