#!/usr/bin/env bash
# Google's libphonenumber dials the note behind a number, and libphonenumber-js drops the letters of 1-800-FLOWERS.
#
# Expected: `030 1234567 privat` is a number with a note, 1-800-FLOWERS is 1-800-3569377, and two libraries on the same data agree.
# Instead: Google's library turns three letters or more into digits of the keypad: +49 30 1234567 774828, which it calls valid. With
#   an umlaut in the note it finds no number. libphonenumber-js reads both notes right, and +1 1800 for each number of words.
# Versions: google-libphonenumber 3.2.47, libphonenumber-js 1.13.16 (both newest), phonenumbers 9.0.43. Date: 2026-11-28.
# Hurts: contacts that people typed: one is called at the number of nobody, and two companies with 1-800 words are one.
# In our code: packages/leads/src/toll-free.ts spells the words of toll-free numbers out.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts google-libphonenumber@3.2.47 libphonenumber-js@1.13.16
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check phonenumbers==9.0.43
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const google = require('google-libphonenumber');
const { parsePhoneNumberFromString } = require('libphonenumber-js/max');

const library = google.PhoneNumberUtil.getInstance();
function byGoogle(text, region) {
  try {
    const number = library.parse(text, region);
    return `${library.format(number, google.PhoneNumberFormat.E164)} ${library.isValidNumber(number) ? 'valid' : 'invalid'}`;
  } catch (error) {
    return error.message;
  }
}
function byJs(text, region) {
  const number = parsePhoneNumberFromString(text, region);
  return number && `${number.number} ${number.isValid() ? 'valid' : 'invalid'}`;
}
const texts = [
  ['030 1234567 privat', 'DE'],
  ['030 1234567 (Büro)', 'DE'],
  ['+49 30 1234567 work', 'US'],
  ['1-800-FLOWERS', 'US'],
  ['1-800-CONTACTS', 'US'],
];
const seen = texts.map(([text, region]) => ({ text, google: byGoogle(text, region), js: byJs(text, region) }));
console.table(seen);
assert.deepEqual(seen.map((row) => row.google), [
  '+49301234567774828 valid',
  'The string supplied did not seem to be a phone number',
  '+493012345679675 valid',
  '+18003569377 valid',
  '+180026682287 invalid',
]);
assert.deepEqual(seen.map((row) => row.js), [
  '+49301234567 valid',
  '+49301234567 valid',
  '+49301234567 valid',
  '+11800 invalid',
  '+11800 invalid',
]);
EOF
node look.cjs
cat >look.py <<'EOF'
import phonenumbers

number = phonenumbers.parse("030 1234567 privat", "DE")
seen = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164), phonenumbers.is_valid_number(number)
print("phonenumbers for Python:", *seen)
assert seen == ("+49301234567774828", True)
EOF
venv/bin/python look.py
