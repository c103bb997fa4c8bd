"""python -m urlsm"""

import sys

from urlsm.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
