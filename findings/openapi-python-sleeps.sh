#!/usr/bin/env bash
# A Python client of openapi-generator repeats a GET by itself, and sleeps meanwhile for as long as Retry-After asks.
#
# Expected: the call raises the response as an ApiException at once, as each 500 and each POST do. `retries` is not set.
# Instead: without `retries` the default of urllib3 is used: after 413, 429 and 503 with a Retry-After, GET, PUT and DELETE are sent
#   up to three times more. The call sleeps 6 s for `Retry-After: 2`, and three hours for one of an hour. `retries=0` ends it.
# Versions: openapi-generator-cli 7.25.0, urllib3 2.8.0, Python 3.11. Date: 2026-11-28.
# Hurts: a web server that reads from an API over its limit: requests hang without an error or a line in the log.
# In our code: docs/clients.md names the option. test/sdk/python-client.test.ts shows both.
set -euo pipefail
for program in java mvn python3; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=.
cat >openapi.json <<'EOF'
{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/leads":{
  "get":{"operationId":"list_leads","responses":{"204":{"description":"ok"}}},
  "post":{"operationId":"create_lead","responses":{"204":{"description":"ok"}}}}}}
EOF
java -jar openapi-generator-cli-7.25.0.jar generate -g python -i openapi.json -o made --additional-properties=packageName=made >made.log
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check urllib3==2.8.0 ./made
cat >look.py <<'EOF'
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import made


class Busy(BaseHTTPRequestHandler):
    def answer(self):
        requests.append(self.command)
        self.send_response(status)
        self.send_header("retry-after", "2")
        self.send_header("content-length", "0")
        self.end_headers()

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
seen = {}
for status, method, options in [
    (429, "list_leads", {}),
    (503, "list_leads", {}),
    (500, "list_leads", {}),
    (429, "create_lead", {}),
    (429, "list_leads", {"retries": 0}),
]:
    requests, begun = [], time.monotonic()
    with made.ApiClient(made.Configuration(host=address, **options)) as client:
        try:
            getattr(made.DefaultApi(client), method)()
        except made.ApiException as error:
            caught = error.status
    seconds = int(time.monotonic() - begun)
    seen[status, method, options.get("retries")] = (len(requests), seconds >= 6)
    print(status, method, options, "requests:", len(requests), "raises", caught, "after", seconds, "s")
assert list(seen.values()) == [(4, True), (4, True), (1, False), (1, False), (1, False)]
EOF
venv/bin/python look.py
