# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.crawler.pages import in_domains as in_domains
from urlsm.crawler.sites import PublicSuffixList as PublicSuffixList
from urlsm.crawler.sites import public_suffix as public_suffix
from urlsm.crawler.sites import registrable_domain as registrable_domain
from urlsm.crawler.sites import same_site as same_site
from urlsm.crawler.sites import to_ascii as to_ascii
from urlsm.unicode.idna import IDNAError as IDNAError
from urlsm.unicode.idna import to_unicode as to_unicode

__all__ = [
    "IDNAError",
    "PublicSuffixList",
    "in_domains",
    "public_suffix",
    "registrable_domain",
    "same_site",
    "to_ascii",
    "to_unicode",
]
