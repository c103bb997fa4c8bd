"""Brings the functions of urlsm.columns into data engines. Each engine has a small module: polars, duckdb, pandas,
dask, spark. Import the module that you need.

import urlsm.engines.polars           # .url on expressions and series
import urlsm.engines.pandas           # .url on series; urlsm.engines.dask: on series of Dask
urlsm.engines.duckdb.install(con)     # url_host(u), url_parse(u) ... in SQL
urlsm.engines.spark.install(spark)
"""
