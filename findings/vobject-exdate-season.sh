#!/usr/bin/env bash
# vobject keeps a cancelled day of a series, if the clocks have changed since the first day.
#
# Expected: `EXDATE;TZID=Europe/Berlin:20261026T180000` removes Monday 26 October of a daily series at 18:00 in Berlin, as it removes
#   Saturday 24 October.
# Instead: it removes nothing after the clocks have changed, and nothing in summer of a series that began in winter. The list is the same
#   with the `EXDATE` in UTC. Days without a change of the clocks between are removed. `UNTIL` and `RDATE` are right.
# Version: vobject 0.9.9 (the newest), Python 3.11. Date: 2026-11-29.
# Hurts: readers of calendars, and CalDAV servers and clients on vobject: a cancelled class or shift is shown as taking place.
# In our code: packages/icalendar expands no series. The preview of an import lists events with an EXDATE.
# Usage: findings/vobject-exdate-season.sh [version of vobject]
set -euo pipefail
version=${1:-0.9.9}
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check "vobject==$version"
cat >look.py <<'EOF'
import vobject


def days(start, *lines):
    """The days of a series of five that begins on `start`."""
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//findings//EN", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z"]
    body = [f"DTSTART;TZID=Europe/Berlin:{start}", "RRULE:FREQ=DAILY;COUNT=5", *lines]
    text = "\r\n".join([*head, *body, "END:VEVENT", "END:VCALENDAR", ""])
    event = vobject.readOne(text).vevent
    found = [time.strftime("%d.%m.") for time in event.getrruleset(addRDate=True)]
    print(*lines, "->", *found)
    return found


autumn = days("20261023T180000")
assert autumn == ["23.10.", "24.10.", "25.10.", "26.10.", "27.10."]
# The clocks go back on 25 October.
removed = days("20261023T180000", "EXDATE;TZID=Europe/Berlin:20261024T180000")
assert removed == ["23.10.", "25.10.", "26.10.", "27.10."]
assert days("20261023T180000", "EXDATE:20261024T160000Z") == removed
assert days("20261023T180000", "EXDATE;TZID=Europe/Berlin:20261026T180000") == autumn, "26 October is removed"
assert days("20261023T180000", "EXDATE:20261026T170000Z") == autumn, "26 October is removed"
# They go forward on 29 March.
assert "30.03." in days("20260327T180000", "EXDATE;TZID=Europe/Berlin:20260330T180000"), "30 March is removed"
assert "30.04." not in days("20260428T180000", "EXDATE;TZID=Europe/Berlin:20260430T180000")
EOF
venv/bin/python look.py
