# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.guard._aiohttp import aiohttp_session as aiohttp_session
from urlsm.guard._httpcore import AsyncHttpcoreBackend as AsyncHttpcoreBackend
from urlsm.guard._httpcore import HttpcoreBackend as HttpcoreBackend
from urlsm.guard._httpx import httpx_async_client as httpx_async_client
from urlsm.guard._httpx import httpx_client as httpx_client
from urlsm.guard._requests import RequestsAdapter as RequestsAdapter
from urlsm.guard._requests import requests_session as requests_session
from urlsm.guard._urllib import urllib_opener as urllib_opener
from urlsm.guard._urllib3 import urllib3_pool as urllib3_pool
from urlsm.guard.connector import AiohttpConnector as AiohttpConnector
from urlsm.guard.policy import BlockedError as BlockedError
from urlsm.guard.policy import Policy as Policy
