#!/usr/bin/env bash
# A Python sender that passes the time of its zone to `sign()` signs another time, and each receiver rejects the message.
#
# Expected: `sign(id, datetime.now(ZoneInfo("Europe/Berlin")), body)` covers the same instant as `datetime.now(timezone.utc)`, so the
#   receiver accepts it with `str(int(now.timestamp()))` as its header. Or a time that is not in UTC is an error.
# Instead: the library exchanges the zone for UTC and keeps the clock's digits. The signature covers an instant one or two hours later,
#   in New York four or five earlier. `verify()` of the same library finds no matching signature. svix for Python calls the same code.
# Versions: standardwebhooks 1.1.0, svix 2.9.1 (both newest), Python 3.11. Date: 2026-11-29.
# Hurts: senders whose framework has aware times in the zone of the user or of the server. All tests that run in UTC pass.
# In our code: packages/signature signs seconds, which have no zone.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0 svix==2.9.1 tzdata==2025.2
cat >look.py <<'EOF'
import base64
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import standardwebhooks
import svix

secret = "whsec_" + base64.b64encode(bytes(32)).decode()
now = datetime.now(timezone.utc)


def signature_of(library, time):
    return library.Webhook(secret).sign("msg_1", time, "{}")


def is_accepted(library, time):
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    try:
        headers = dict(zip(names, ("msg_1", str(int(time.timestamp())), signature_of(library, time))))
        library.Webhook(secret).verify("{}", headers)
        return True
    except (standardwebhooks.webhooks.WebhookVerificationError, svix.WebhookVerificationError) as error:
        print("   ", error)
        return False


seen = {}
for library in (standardwebhooks, svix):
    for zone in ("UTC", "Europe/Berlin", "America/New_York"):
        local = now.astimezone(ZoneInfo(zone))
        assert local == now, "the same instant"
        seen[library.__name__, zone] = is_accepted(library, local)
        print(library.__name__, local.isoformat(), "accepted:", seen[library.__name__, zone])
        digits = local.replace(tzinfo=timezone.utc)
        assert signature_of(library, local) == signature_of(library, digits), "it covers the instant now"
assert len(seen) == 6 and all(accepted == (zone == "UTC") for (_, zone), accepted in seen.items())
EOF
venv/bin/python look.py
