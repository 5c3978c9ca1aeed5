#!/usr/bin/env bash
# libphonenumber-js takes the two ways to write a Mexican mobile number for two numbers, one of them impossible.
#
# Expected: `+52 1 55 1234 5678`, as WhatsApp and most records before 2020 have it, equals `+52 55 1234 5678`. The 1 only ever marked
#   a mobile phone. Other marks are known: the 0 of `+44 (0)20` and of `+234 0803` is removed, and the 15 of Argentina becomes a 9.
# Instead: the number keeps the 1 and isPossible() is false, with the smallest and the full metadata.
# Version: libphonenumber-js 1.13.16 (the newest), with metadata of Google: phonenumbers 9.0.43 of Python does the same. Date: 2026-11-28.
# Hurts: systems that join chats with contacts by number: a Mexican customer exists twice.
# In our code: packages/leads/src/phone.ts removes the 1.
# Usage: findings/libphonenumber-js-mexico.sh [version of libphonenumber-js]
set -euo pipefail
version=${1:-1.13.16}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "libphonenumber-js@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { parsePhoneNumberFromString as full } from 'libphonenumber-js/max';
import { parsePhoneNumberFromString as smallest } from 'libphonenumber-js/min';

for (const [metadata, parse] of Object.entries({ smallest, full })) {
  const read = (text) => {
    const phone = parse(text);
    return [phone.number, phone.isPossible()];
  };
  const [marked, plain, london] = ['+52 1 55 1234 5678', '+52 55 1234 5678', '+44 (0)20 7946 0958'].map(read);
  console.log(`${metadata} metadata:`, { marked, plain, london });
  assert.deepEqual(marked, ['+5215512345678', false], 'the 1 is known now');
  assert.deepEqual(plain, ['+525512345678', true]);
  assert.deepEqual(london, ['+442079460958', true]);
}
EOF
node look.mjs
