# The public names, for type checkers and editors; __init__.py says in which module each is defined.

from urlsm.pictures.cutting import Span as Span
from urlsm.pictures.cutting import spans as spans
from urlsm.pictures.drawing import ansi as ansi
from urlsm.pictures.drawing import html as html
from urlsm.pictures.drawing import svg as svg
from urlsm.pictures.sheet import page as page
