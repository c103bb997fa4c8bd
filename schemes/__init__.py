"""What each scheme means: one module a scheme, installed as urlsm.schemes.

No handler is here yet. The contract that handlers fulfil comes with the first of them, so that every trait and method
in it has a reader. Nothing imports this folder as a top-level `schemes`: each class would then exist twice.
"""
