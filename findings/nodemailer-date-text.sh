#!/usr/bin/env bash
# nodemailer puts a date that is a text or a number into the header unchanged.
#
# Expected: `date: '2027-05-01T10:00:00.000Z'` is `Date: Sat, 01 May 2027 10:00:00 +0000`, as the same Date is, or an error. The types
#   allow a text.
# Instead: the header is `Date: 2027-05-01T10:00:00.000Z`, or `Date: 1809165600000` of a number. Python's email package finds no date in
#   either.
# Version: nodemailer 10.6.1 (the newest), Python 3.11. Date: 2026-11-28.
# Hurts: mails that wait in a queue as JSON, where a Date is a text: a reader that parses the header finds no date.
# In our code: packages/mail sets no date, so nodemailer writes the time of the attempt.
# Usage: findings/nodemailer-date-text.sh [version of nodemailer]
set -euo pipefail
version=${1:-10.6.1}
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "nodemailer@$version"
cat >look.mjs <<'EOF'
import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
const at = new Date('2027-05-01T10:00:00Z');
for (const date of [at, JSON.parse(JSON.stringify({ at })).at, Number(at)]) {
  const { message } = await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'Hello', date });
  console.log(/^Date: .*/m.exec(message.toString())[0].trim());
}
EOF
node look.mjs | tee headers.txt
cat >look.py <<'EOF'
from email import message_from_string
from email.policy import default

dates = [message_from_string(line, policy=default)["date"].datetime for line in open("headers.txt")]
print("read by Python:", *dates)
assert dates[0].isoformat() == "2027-05-01T10:00:00+00:00" and dates[1:] == [None, None]
EOF
python3 look.py
printf '%s\n' 'Date: Sat, 01 May 2027 10:00:00 +0000' 'Date: 2027-05-01T10:00:00.000Z' 'Date: 1809165600000' | diff - headers.txt
