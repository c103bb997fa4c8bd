"""What named programs see in a URL, by name and release. Nothing of this room is loaded until it is asked for.

A module a family of programs; `programs` finds one by its name. A program reads a text by one function of its module,
written from the program's source. Where releases differ, the function asks for the number of the release.
"""

ABOUT = {  # for urlsm.about
    "code points by age": {
        "file": "ages.pyx",
        "rows": 258 + 36 + 28,
        "source": "Unicode 11 to 18, by unicodedata2 and CPython",
        "url": "https://www.unicode.org/Public/UCD/latest/ucd/DerivedAge.txt",
        "version": "18.0.0",
        "date": "2026-09",
        "licence": "Unicode-3.0",
        "used_by": "compare_readers: programs with an older Unicode",
    },
}
