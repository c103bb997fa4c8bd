"""audit(), compiled: most links are ordinary and have no hazards, and a call of a Python function would take longer."""
from urlsm.security.plain cimport unremarkable

from urlsm.security.comparison import text_of
from urlsm.security.hazards import hazards_in


def audit(url, *, readers=None) -> list:
    """Return the security hazards in a URL, in the order of their positions.

    Each hazard is reported once per component, at its first position. URLs and hosts within the URL are audited as
    well, for example in `view-source:` and `git+https:`, in the fallback of `intent:`, and in the list of hosts of
    `mongodb:`. An empty list does not guarantee that the URL is harmless.

    Args:
        url: str, bytes or URL, read as given.
        readers: the names of programs, as for `compare_readers`. If they disagree on the scheme, host, port or path, a
            hazard "readers-disagree" says which program sees what. None: no such comparison.

    Returns:
        A list of Hazard; an empty list for an ordinary link. urlsm.security.HAZARDS lists all codes.

    Raises:
        TypeError: `url` is not str, bytes or URL, or `readers` is a str.
        ValueError: `readers` contains an unknown name, or is empty.

    Example:
        >>> [(hazard.code, hazard.component) for hazard in audit("http://user:pass@127.0.0.1/")]
        [('credentials', 'userinfo'), ('loopback-address', 'host')]
        >>> audit("http://h/a/./b", readers=["curl", "go"])[-1].message
        'curl sees the path /a/b, go sees the path /a/./b'
    """
    text = url if type(url) is str else text_of(url)
    clear = unremarkable(text)
    if readers is None and clear == len(<str>text):
        return []
    return hazards_in(text, clear, url, readers)
