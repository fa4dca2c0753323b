#!/usr/bin/env python3
"""Reads the tables of a sweep with Polars, pandas and DuckDB, and prints what each of them sees as JSON.

    python3 scripts/read_sweep.py DIR

For every reader, table and column: the rows, the type, the exactly rounded sum of finite numbers (null if it is too
large; for words, the number of letters), and a number that
depends on every bit and on the order: the sum of (row + 1) * bits modulo 2^64, where a NaN has the bits of the usual one, a whole number those
of itself, and a word the sum of (place + 1) * byte."""
import json, math, pathlib, struct, sys

NAN = 0x7FF8000000000000
RANGE = 1 << 64

def bits(entry, kind):
    if kind == "word":
        return sum((place + 1) * byte for place, byte in enumerate((entry or "").encode()))
    if kind == "count":
        return int(entry)
    if entry is None or math.isnan(entry):
        return NAN
    return struct.unpack("<Q", struct.pack("<d", entry))[0]

def total(entries, kind):
    if kind == "word":
        return sum(len(entry or "") for entry in entries)
    if kind == "count":
        return sum(map(int, entries))
    try:
        return math.fsum(entry for entry in entries if entry is not None and math.isfinite(entry))
    except OverflowError:
        return None

def seen(entries, kind, type_):
    check = sum((row + 1) * bits(entry, kind) for row, entry in enumerate(entries)) % RANGE
    return {"rows": len(entries), "type": str(type_), "sum": total(entries, kind), "check": check}

# Parquet files know their types; those of CSV are in run.json.

def polars(files, kinds, csv):
    import polars as pl
    types = {"number": pl.Float64, "count": pl.UInt64, "word": pl.String}
    if csv:
        schema = {name: types[kind] for name, kind in kinds.items()}
        frame = pl.read_csv(files, schema=schema)
    else:
        frame = pl.read_parquet(files)
    return {name: (frame[name].to_list(), frame[name].dtype) for name in frame.columns}

def pandas(files, kinds, csv):
    import glob
    import pandas as pd
    types = {"number": "float64", "count": "uint64", "word": "str"}
    if csv:
        settings = {
            "dtype": {name: types[kind] for name, kind in kinds.items()},
            "na_values": {name: [""] for name, kind in kinds.items() if kind == "number"},
            "keep_default_na": False, "float_precision": "round_trip", "skip_blank_lines": False,
        }
        frame = pd.concat([pd.read_csv(file, **settings) for file in sorted(glob.glob(files))], ignore_index=True)
    else:
        frame = pd.read_parquet(pathlib.Path(files).parent)
    return {name: (frame[name].tolist(), frame[name].dtype) for name in frame.columns}

def duckdb(files, kinds, csv):
    import duckdb
    types = {"number": "DOUBLE", "count": "UBIGINT", "word": "VARCHAR"}
    if csv:
        columns = {name: types[kind] for name, kind in kinds.items()}
        table = duckdb.read_csv(files, header=True, columns=columns, delimiter=",", quotechar='"', escapechar='"')
    else:
        table = duckdb.read_parquet(files)
    rows = table.fetchall()
    return {name: ([row[place] for row in rows], type_) for place, (name, type_) in enumerate(zip(table.columns, table.types))}

def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    store = json.loads((folder / "run.json").read_text())["store"]
    result = {}
    for reader in (polars, pandas, duckdb):
        result[reader.__name__] = tables = {}
        for table in store["tables"]:
            kinds = dict(map(tuple, table["columns"]))
            files = str(folder / table["name"] / f"*.{store['format']}")
            columns = reader(files, kinds, store["format"] == "csv")
            if list(columns) != list(kinds):
                sys.exit(f"{reader.__name__} sees the columns {list(columns)} of {table['name']}, not {list(kinds)}")
            tables[table["name"]] = {name: seen(entries, kinds[name], type_) for name, (entries, type_) in columns.items()}
    print(json.dumps(result, indent=1))

main()
