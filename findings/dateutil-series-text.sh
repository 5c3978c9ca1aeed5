#!/usr/bin/env bash
# dateutil writes a series without its time zone, refuses an RDATE with one, and has an hour twice when the clocks go forward.
#
# Expected: `str(rule)` is the text that rrulestr() makes the same series of, as its documentation says. RDATE takes the parameters
#   that DTSTART and EXDATE take. An hourly series is an hour apart.
# Instead: the text of a series in Berlin has `DTSTART:20270327T090000`, so what is read back has no zone. `RDATE;TZID=…` fails with
#   "unsupported RDATE parm". An hourly series has 01:30 UTC twice in March, and two hours between two days of October.
# Versions: python-dateutil 4.0.0 (the newest), tzdata 2026.3, Python 3.11. Date: 2026-11-28.
# Hurts: programs that store a series as text, or import one with RDATE from Outlook or Apple.
# In our code: packages/icalendar/src/read-event.ts sees an RDATE with any parameters; recurrence.ts knows no hourly series.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check python-dateutil==4.0.0 tzdata==2026.3
cat >look.py <<'EOF'
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import DAILY, rrule, rrulestr

BERLIN = ZoneInfo("Europe/Berlin")
rule = rrule(DAILY, count=2, dtstart=datetime(2027, 3, 27, 9, tzinfo=BERLIN))
text = str(rule)
again = rrulestr(text)[0]
print("text:", text.replace("\n", " "), "begins:", rule[0], "read again:", again)
assert text == "DTSTART:20270327T090000\nRRULE:FREQ=DAILY;COUNT=2"
assert rule[0].utcoffset() is not None and again.utcoffset() is None

start = "DTSTART;TZID=Europe/Berlin:{}\nRRULE:FREQ={};COUNT={}"
daily = start.format("20270327T090000", "DAILY", 3)
print("EXDATE with TZID:", len(list(rrulestr(daily + "\nEXDATE;TZID=Europe/Berlin:20270328T090000"))), "days")
try:
    rrulestr(daily + "\nRDATE;TZID=Europe/Berlin:20270401T090000")
    raise SystemExit("RDATE with TZID is read now")
except ValueError as error:
    print("RDATE with TZID:", error)
    assert "unsupported RDATE parm" in str(error)


def hours(begin):
    series = rrulestr(start.format(begin, "HOURLY", 5))
    return [at.astimezone(timezone.utc).strftime("%H:%M") for at in series]


march, october = hours("20270328T003000"), hours("20271031T003000")
print("hourly, in UTC, March:", *march, "October:", *october)
assert march == ["23:30", "00:30", "01:30", "01:30", "02:30"]
assert october == ["22:30", "23:30", "00:30", "02:30", "03:30"]
EOF
venv/bin/python look.py
