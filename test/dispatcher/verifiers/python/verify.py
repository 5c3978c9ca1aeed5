"""Verifies one message a line of standard input, and prints "verified" or "rejected" for each."""
import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

for line in sys.stdin:
    one = json.loads(line)
    try:
        Webhook(one["secret"]).verify(one["body"], one["headers"])
        print("verified")
    except WebhookVerificationError:
        print("rejected")
