# urlsm._core only makes other modules; nothing in it is public
