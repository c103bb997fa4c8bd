# The public names, for type checkers and editors; __init__.py says in which module each is defined.

from urlsm.compat import protego as protego
from urlsm.compat import surt as surt
from urlsm.compat import w3lib as w3lib
from urlsm.compat.installing import install as install
from urlsm.compat.installing import uninstall as uninstall
