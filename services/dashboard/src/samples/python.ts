import { type Sample, SECRET_VARIABLE } from './sample.ts';

export const python: Sample = {
  id: 'python',
  label: 'Python',
  file: 'send.py',
  run: 'python3 send.py',
  code: ({ endpointUrl, secret, body }) => `import hashlib
import hmac
import os
import time
import urllib.error
import urllib.request

secret = ${secret === null ? `os.environ["${SECRET_VARIABLE}"]` : `"${secret}"`}
body = r'''${body}'''.encode()
timestamp = str(int(time.time()))
signature = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()

request = urllib.request.Request(
    "${endpointUrl}",
    data=body,
    headers={
        "Content-Type": "application/json",
        "X-Service-Timestamp": timestamp,
        "X-Service-Signature": "sha256=" + signature,
    },
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
print(response.status, response.read().decode())
`,
};
