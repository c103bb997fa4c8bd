"""Base classes for families of schemes (databases, stores, names), and tables of parameters, for those who write a
handler."""

from urlsm.schemes.databases.database import Cluster, ClusterParts, Database, DatabaseParts
from urlsm.schemes.fields import Field, Parameters
from urlsm.schemes.names.name import Name, Section
from urlsm.schemes.stores.bucket import Bucket, BucketParts

__all__ = [
    "Bucket",
    "BucketParts",
    "Cluster",
    "ClusterParts",
    "Database",
    "DatabaseParts",
    "Field",
    "Name",
    "Parameters",
    "Section",
]
