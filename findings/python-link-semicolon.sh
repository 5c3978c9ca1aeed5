#!/usr/bin/env bash
# requests and httpx cut the URL of a Link header at its first semicolon, so that a listing seems to have no next page.
#
# Expected: `<https://api.example.com/items;v=2?page=2>; rel="next"` is the next page, as a URL may contain semicolons (RFC 3986), and
#   `Rel=next` is the same as `rel="next"` (RFC 8288). aiohttp and three npm packages read the first one.
# Instead: `response.links` has no "next" at all: its key is the cut URL, without a relation. With a semicolon in the query, as in
#   `?q=a;b&page=2`, there is a "next" with the URL `…?q=a`, which is the first page again. `rel="next last"` is the key "next last",
#   which the npm packages read as two, and `Rel` is no relation (http-link-header alone reads it).
# Versions: requests 2.34.2, httpx 0.28.1, aiohttp 3.14.5, http-link-header 1.1.4, parse-link-header 2.0.0, li 1.3.0 (all newest).
#   Date: 2026-11-29.
# Hurts: programs that follow `links["next"]`: they stop after the first page without an error, or read it forever.
# In our code: services/api/src/public/send-result.ts writes `; rel="next"`, and URLSearchParams encodes a semicolon in the query.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts http-link-header@1.1.4 parse-link-header@2.0.0 li@1.3.0
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check requests==2.34.2 httpx==0.28.1 aiohttp==3.14.5
cat >look.py <<'EOF'
import asyncio
import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import aiohttp
import httpx
import requests

ITEMS = "http://api.example.com/items"
HEADERS = {
    "path": f'<{ITEMS};v=2?page=2>; rel="next"',
    "query": f'<{ITEMS}?q=a;b&page=2>; rel="next"',
    "two": f'<{ITEMS}?page=2>; rel="next last"',
    "capital": f'<{ITEMS}?page=2>; Rel="next"',
    "plain": f'<{ITEMS}?page=2>; rel="next"',
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Link", HEADERS[self.path[1:]])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()


def next_of(links):
    return str(links["next"]["url"]).removeprefix(ITEMS) if "next" in links else None


async def with_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return next_of(response.links)


def with_npm(header):
    return json.loads(subprocess.run(["node", "look.mjs", header], check=True, capture_output=True, text=True).stdout)


EXPECTED = {  # requests, httpx, aiohttp, http-link-header, parse-link-header, li
    "path": [None, None, *[";v=2?page=2"] * 4],
    "query": ["?q=a", "?q=a", *["?q=a;b&page=2"] * 4],
    "two": [None, None, None, *["?page=2"] * 3],
    "capital": [None, None, None, "?page=2", None, None],
    "plain": ["?page=2"] * 6,
}
for name, header in HEADERS.items():
    url = f"http://127.0.0.1:{server.server_port}/{name}"
    seen = [next_of(requests.get(url).links), next_of(httpx.get(url).links), asyncio.run(with_aiohttp(url))]
    seen += [link and link.removeprefix(ITEMS) for link in with_npm(header)]
    print(header, *seen, sep="\n   ")
    assert seen == EXPECTED[name], EXPECTED[name]
assert list(requests.get(f"http://127.0.0.1:{server.server_port}/path").links) == [ITEMS]
EOF
cat >look.mjs <<'EOF'
import LinkHeader from 'http-link-header';
import li from 'li';
import parse from 'parse-link-header';

const [, , header] = process.argv;
const next = [LinkHeader.parse(header).rel('next')[0]?.uri, parse(header).next?.url, li.parse(header).next];
console.log(JSON.stringify(next.map((url) => url ?? null)));
EOF
NO_PROXY=127.0.0.1 venv/bin/python look.py
