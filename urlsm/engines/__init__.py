"""The functions of urlsm.columns in Polars, pandas, Dask, DuckDB and Spark, under the same names.

Import the module of your engine:

import urlsm.engines.polars           # .url on expressions and series
import urlsm.engines.pandas           # .url on series; urlsm.engines.dask: on Dask series
urlsm.engines.duckdb.install(con)     # url_host(u), url_parse(u) ... in SQL
urlsm.engines.spark.install(spark)
"""
