# The public names, for type checkers and editors; __init__.py says where each lives.

from urlsm.crawler.archives import unsurt as unsurt
from urlsm.crawler.browsing import safebrowsing_expressions as safebrowsing_expressions
from urlsm.crawler.browsing import safebrowsing_hashes as safebrowsing_hashes
from urlsm.crawler.canonical import canonicalize as canonicalize
from urlsm.crawler.canonical import canonicalize_many as canonicalize_many
from urlsm.crawler.canonical import surt as surt
from urlsm.crawler.canonical import try_canonicalize as try_canonicalize
from urlsm.crawler.digests import fingerprint as fingerprint
from urlsm.crawler.pages import Link as Link
from urlsm.crawler.pages import has_extension as has_extension
from urlsm.crawler.pages import host_matches as host_matches
from urlsm.crawler.pages import links as links
from urlsm.crawler.profiles import PROFILES as PROFILES
from urlsm.crawler.profiles import profile as profile
from urlsm.crawler.record import Profile as Profile
from urlsm.crawler.robots import robots_path as robots_path
from urlsm.crawler.sites import public_suffix as public_suffix
from urlsm.crawler.sites import registrable_domain as registrable_domain
from urlsm.crawler.sites import same_site as same_site
from urlsm.crawler.suffix_list import Suffixes as Suffixes
from urlsm.crawler.suffix_list import suffixes as suffixes
from urlsm.crawler.trackers import TRACKERS as TRACKERS
from urlsm.url.query_edit import only_parameters as only_parameters
from urlsm.url.query_edit import set_parameters as set_parameters
from urlsm.url.query_edit import without_parameters as without_parameters
