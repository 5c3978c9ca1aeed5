#!/usr/bin/env bash
# svix for Python verifies a message and returns nothing, where the library of Standard Webhooks returns the parsed body.
#
# Expected: `event = Webhook(secret).verify(body, headers)` has the event in both, as in both libraries for JavaScript.
# Instead: svix returns None. It also verifies a body that is no JSON, for which standardwebhooks raises a JSONDecodeError.
# Versions: svix 2.9.1, standardwebhooks 1.1.0 (both newest), Python 3.11. Date: 2026-11-28.
# Hurts: receivers that change from one to the other: each message is verified, and then fails as `None`.
# In our code: docs/webhook-subscriptions.md names the difference.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check svix==2.9.1 standardwebhooks==1.1.0
cat >look.py <<'EOF'
import base64
from datetime import datetime, timezone

import standardwebhooks
import svix

secret = "whsec_" + base64.b64encode(bytes(32)).decode()
now = datetime.now(timezone.utc)


def outcome(library, body):
    webhook = library.Webhook(secret)
    signature = webhook.sign("msg_1", now, body)
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    headers = dict(zip(names, ("msg_1", str(int(now.timestamp())), signature)))
    try:
        return webhook.verify(body, headers)
    except ValueError as error:
        return type(error).__name__


seen = [
    outcome(library, body)
    for library in (standardwebhooks, svix)
    for body in ('{"type":"lead.created"}', "hello")
]
print("standardwebhooks, svix with JSON and with a text:", seen)
assert seen == [{"type": "lead.created"}, "JSONDecodeError", None, None]
EOF
venv/bin/python look.py
