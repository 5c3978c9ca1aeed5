#!/usr/bin/env bash
# Python's HTTP clients write the same JSON in two ways, and some send bytes without Content-Type.
#
# Expected: `json=` sends the same bytes with each client, and a body of bytes has some Content-Type or none with each.
# Instead: requests and aiohttp escape non-ASCII and put a blank behind `,` and `:`, as json.dumps does. httpx does neither.
#   For bytes, requests and httpx send no Content-Type, aiohttp sends application/octet-stream, urllib a form's.
# Versions: requests 2.34.2, aiohttp 3.14.5, httpx 0.28.1 (all newest), urllib of Python 3.11. Date: 2026-11-27.
# Hurts: a sender that signs json.dumps(event) and sends `json=event` with httpx (401), or bytes without the header (415).
# In our code: docs/sending-events.md, "Sign what is sent".
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check requests==2.34.2 aiohttp==3.14.5 httpx==0.28.1
cat >look.py <<'EOF'
import asyncio
import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import aiohttp
import httpx
import requests

got = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        got.append((body, self.headers["Content-Type"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
event = {"title": "Größe", "price": 1.0}
raw = b'{"n":1}'


async def with_aiohttp():
    async with aiohttp.ClientSession() as session:
        await session.post(url, json=event)
        await session.post(url, data=raw)


requests.post(url, json=event)
requests.post(url, data=raw)
httpx.post(url, json=event)
httpx.post(url, content=raw)
asyncio.run(with_aiohttp())
urllib.request.urlopen(urllib.request.Request(url, raw))
for body, content_type in got:
    print(body, content_type)
escaped = json.dumps(event).encode()
compact = '{"title":"Größe","price":1.0}'.encode()
assert [body for body, _ in got] == [escaped, raw, compact, raw, escaped, raw, raw]
types = [content_type for _, content_type in got]
of_json = "application/json"
form = "application/x-www-form-urlencoded"
assert types == [of_json, None, of_json, None, of_json, "application/octet-stream", form]
EOF
venv/bin/python look.py
