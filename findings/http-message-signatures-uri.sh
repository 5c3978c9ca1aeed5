#!/usr/bin/env bash
# A signature over `@target-uri` of a URL without a path, or with its default port, fails at each receiver.
#
# Expected: RFC 9421 normalises the URI, so the signer of "https://example.com" covers "https://example.com/", which the receiver sees.
# Instead: http-message-signatures for Node signs the text that it gets: without "/", with ":443", with capitals in the host. It
#   rejects its own signature, when it gets the URL that the server received. `@authority` and `@path` are normalised. The Python
#   library of the same name adds the "/", but keeps port and capitals; http-message-sig does all three.
# Versions: http-message-signatures 1.0.6 (npm) and 3.0.0 (PyPI), http-message-sig 0.3.0 (all newest). Date: 2026-11-28.
# Hurts: senders of webhooks to an address that a person typed: one receiver rejects each message, and others none.
# In our code: no RFC 9421; packages/signature covers id, time and body, and no URL.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts http-message-signatures@1.0.6 http-message-sig@0.3.0
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check http-message-signatures==3.0.0 requests==2.34.2
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { createSignature } from 'http-message-sig';
import { createSigner, createVerifier, httpbis } from 'http-message-signatures';

const key = createSigner('a shared secret', 'hmac-sha256', 'key');
const keyLookup = async () => ({ verify: createVerifier('a shared secret', 'hmac-sha256') });
/** Whether the receiver accepts what the sender has signed. The server sees the URL as fetch() sends it. */
async function isAccepted(url, fields) {
  const sent = await httpbis.signMessage({ key, fields }, { method: 'POST', url, headers: {} });
  return (await httpbis.verifyMessage({ keyLookup }, { ...sent, url: new URL(url).href })) === true;
}
/** The line that http-message-sig signs. */
async function lineOf(url) {
  let base = '';
  const sign = async (bytes) => {
    base = new TextDecoder().decode(bytes);
    return new Uint8Array(1);
  };
  const request = new Request(url, { method: 'POST' });
  const parameters = { keyid: 'key' };
  await createSignature(request, { label: 's', components: ['@target-uri'], parameters, signer: { algorithm: 'ed25519', sign } });
  return base.split('\n')[0].replace('"@target-uri": ', '');
}
const seen = {};
for (const url of ['https://example.com/hook', 'https://example.com', 'https://example.com:443/hook', 'https://Example.com/hook'])
  seen[url] = {
    '@target-uri': await isAccepted(url, ['@target-uri']).catch(() => false),
    '@authority @path': await isAccepted(url, ['@authority', '@path']),
    'http-message-sig signs': await lineOf(url),
  };
console.table(seen);
assert.deepEqual(Object.values(seen).map((row) => row['@target-uri']), [true, false, false, false]);
assert.ok(Object.values(seen).every((row) => row['@authority @path']));
for (const [url, row] of Object.entries(seen)) assert.equal(row['http-message-sig signs'], new URL(url).href);
EOF
node look.mjs
cat >look.py <<'EOF'
import requests
from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms

lines = []


class Secret(HTTPSignatureKeyResolver):
    def resolve_private_key(self, key_id):
        return b"a shared secret"

    resolve_public_key = resolve_private_key


class Noted(algorithms.HMAC_SHA256):
    def sign(self, message):
        lines.append(message.decode().split("\n")[0].removeprefix('"@target-uri": '))
        return super().sign(message)


for url in "https://example.com", "https://Example.com:443/hook":
    signer = HTTPMessageSigner(signature_algorithm=Noted, key_resolver=Secret())
    request = requests.Request("POST", "https://example.com/")
    message = request.prepare()
    message.url = url
    signer.sign(message, key_id="key", covered_component_ids=("@target-uri",))
print("Python signs:", *lines)
assert lines == ["https://example.com/", "https://Example.com:443/hook"]
EOF
venv/bin/python look.py
