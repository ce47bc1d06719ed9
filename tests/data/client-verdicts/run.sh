#!/bin/sh
# Makes table.jsonl anew. Installs the clients into the folder named, from the registries: sh run.sh SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"
python3 "$here/cases.py" > cases.jsonl
typescript() { # PACKAGE VERSION FILE PROTOCOL...
    package=$1 version=$2 file=$3; shift 3
    [ -d "ts-$version" ] || npm install --silent --ignore-scripts --prefix "ts-$version" "$package@$version"
    for protocol; do
        node "$here/typescript.mjs" "$PWD/ts-$version/node_modules/$package/$file" "$version" "$protocol" \
            < cases.jsonl > "run-typescript-$version-$protocol"
    done
}
python() { # VERSION BESIDE PROTOCOL...
    version=$1 beside=$2; shift 2
    [ -d "py-$version" ] || { python3 -m venv "py-$version" && "py-$version/bin/pip" install -q "mcp==$version" "$beside"; }
    for protocol; do
        "py-$version/bin/python" "$here/python.py" "$version" "$protocol" < cases.jsonl > "run-python-$version-$protocol"
    done
}
rm -f run-*
sdk=@modelcontextprotocol/sdk client=dist/esm/client/index.js
typescript $sdk 1.12.3 $client 2025-03-26
typescript $sdk 1.20.2 $client 2025-06-18
typescript $sdk 1.32.2 $client 2025-11-25
typescript @modelcontextprotocol/client 2.4.0 dist/index.mjs 2025-11-25 2026-07-28
python 1.9.4 "pydantic<2.12" 2025-03-26
python 1.30.0 "pydantic>=2.12" 2025-11-25
python 2.3.0 "pydantic>=2.12" 2025-11-25 2026-07-28
python3 "$here/table.py" cases.jsonl run-* > "$here/table.jsonl"
