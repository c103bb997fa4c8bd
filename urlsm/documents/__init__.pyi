# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.components.value import same_document as same_document
from urlsm.documents.page import PageLink as PageLink
from urlsm.documents.page import page_links as page_links
from urlsm.documents.scanning import UrlMatch as UrlMatch
from urlsm.documents.scanning import base_url as base_url
from urlsm.documents.scanning import extract_urls as extract_urls
from urlsm.documents.scanning import unwrap as unwrap

__all__ = ["PageLink", "UrlMatch", "base_url", "extract_urls", "page_links", "same_document", "unwrap"]
