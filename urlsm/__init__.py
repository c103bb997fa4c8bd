from urlsm.url import parse
