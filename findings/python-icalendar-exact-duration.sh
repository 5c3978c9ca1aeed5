#!/usr/bin/env bash
# Python's icalendar adds a DURATION of 24 hours as a day, so the event ends an hour early or late.
#
# Expected: PT24H is exact and P1D is nominal (RFC 5545, 3.3.6). From 12:00 on the day before the clocks go forward in Berlin, 24 hours
#   end at 13:00 and one day ends at 12:00.
# Instead: both end at 12:00. Python adds a timedelta to the clock's time, whatever the offset becomes. The series of
#   recurring-ical-events have the same end.
# Versions: icalendar 7.3.2, recurring-ical-events 3.8.2 (both newest), Python 3.11. Date: 2026-11-28.
# Hurts: nights and shifts that are written in hours: they last 23 or 25.
# In our code: readDuration in packages/icalendar/src/local-time.ts keeps days and exact time apart.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.2 recurring-ical-events==3.8.2
cat >look.py <<'EOF'
import icalendar
import recurring_ical_events


def ends(duration):
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//findings//EN",
        "BEGIN:VEVENT",
        "UID:shift",
        "DTSTAMP:20260101T000000Z",
        "DTSTART;TZID=Europe/Berlin:20260328T120000",
        f"DURATION:{duration}",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    calendar = icalendar.Calendar.from_ical("\r\n".join(lines))
    single = calendar.events[0].end
    [expanded] = recurring_ical_events.of(calendar).between((2026, 3, 1), (2026, 4, 30))
    print(duration, "ends", single.isoformat(), "expanded", expanded["DTEND"].dt.isoformat())
    return single.isoformat(), expanded["DTEND"].dt.isoformat()


noon = "2026-03-29T12:00:00+02:00"
assert ends("P1D") == (noon, noon)
assert ends("PT24H") == (noon, noon), "24 hours end at 13:00 now"
EOF
venv/bin/python look.py
