import type { VerifySample } from './verify-sample.ts';

export const python: VerifySample = {
  id: 'python',
  label: 'Python',
  file: 'receive.py',
  run: 'python3 receive.py',
  code: `import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["SLUICE_WEBHOOK_SECRET"][len("whsec_"):])


def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # There are two signatures while a rotated secret still signs.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, one) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if is_genuine(self.headers, body):
            message = json.loads(body)
            print(message["type"], message["data"])
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()


ThreadingHTTPServer(("", 3000), Receiver).serve_forever()
`,
};
