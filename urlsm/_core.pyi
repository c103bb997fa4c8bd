# this module only makes other modules: nothing in it is public
