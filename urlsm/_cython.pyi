# urlsm._cython holds helpers that all of Cython's modules share; nothing in it is public
