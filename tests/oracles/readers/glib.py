"""What GLib's GUri sees in texts, by python3-gi: with no flags, with PARSE_RELAXED, and with libsoup's flags.

python3 glib.py < TEXTS    one JSON string a line; prints as libraries.py does
"""

import json
import sys

import gi

gi.require_version("GLib", "2.0")
from gi.repository import GLib  # noqa: E402

flags = GLib.UriFlags
encoded = flags.ENCODED_PATH | flags.ENCODED_QUERY | flags.ENCODED_FRAGMENT
FLAGS = {
    "glib": flags.NONE,
    "glib-relaxed": flags.PARSE_RELAXED,
    "soup": flags.PARSE_RELAXED | flags.HAS_PASSWORD | encoded | flags.SCHEME_NORMALIZE,
}


def read(text, chosen):
    if "\0" in text:
        raise ValueError("NUL")
    found = GLib.Uri.split(text, chosen)
    if isinstance(found[0], bool):
        found = found[1:]
    scheme, userinfo, host, port, path, query, fragment = found
    return [scheme, userinfo, host, None if port == -1 else str(port), path, query, fragment]


for line in sys.stdin:
    text, answers = json.loads(line), {}
    for name, chosen in FLAGS.items():
        try:
            answers[name] = read(text, chosen)
        except Exception as error:
            answers[name] = ["!", "NUL" if "\0" in text else type(error).__name__]
    print(json.dumps(answers))
version = f"{GLib.MAJOR_VERSION}.{GLib.MINOR_VERSION}.{GLib.MICRO_VERSION}"
sys.stderr.write(json.dumps(dict.fromkeys(FLAGS, version)) + "\n")
