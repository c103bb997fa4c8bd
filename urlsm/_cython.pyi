# what Cython's modules share: nothing in it is public
