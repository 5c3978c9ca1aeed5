#!/usr/bin/env bash
# The iCalendar library of Home Assistant shows a moved day twice, and loses the first of listed days.
#
# Expected: an event with `RECURRENCE-ID:20270328T070000Z` replaces the day of the series at that instant, as EXDATE in UTC removes it.
#   A start and an `RDATE` are two days. What takes an hour takes one on each day.
# Instead: the day stays beside the moved one, unless RECURRENCE-ID has the zone of the series. With an RDATE and no RRULE only the RDATE
#   is left. At 02:30 of the day on which the clocks go forward, an event of an hour takes none. RANGE=THISANDFUTURE moves one day.
# Version: ical 14.3.1 (the newest), Python 3.11. Date: 2026-11-28.
# Hurts: readers of calendars whose writer stores instants: a meeting is shown at its old and at its new time.
# In our code: packages/icalendar/src/read-event.ts knows a moved day by RECURRENCE-ID, whatever its zone is.
# Usage: findings/python-ical-moved-day.sh [version of ical]
set -euo pipefail
version=${1:-14.3.1}
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check "ical==$version" tzdata==2026.3
cat >look.py <<'EOF'
from datetime import timezone
from itertools import islice
from zoneinfo import ZoneInfo

from ical.calendar_stream import IcsCalendarStream

BERLIN = "TZID=Europe/Berlin:2027"


def days(*events):
    """What a calendar of these events shows, in UTC."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//look//EN"]
    for event in events:
        lines += ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20270101T000000Z", *event, "END:VEVENT"]
    text = "\r\n".join([*lines, "END:VCALENDAR", ""])
    timeline = IcsCalendarStream.calendar_from_ics(text).timeline_tz(ZoneInfo("Europe/Berlin"))
    span = lambda at: at.astimezone(timezone.utc).strftime("%d %H:%M")
    return [f"{span(event.start_datetime)} to {span(event.end_datetime)[3:]}" for event in islice(timeline, 9)]


start = [f"DTSTART;{BERLIN}0327T090000", f"DTEND;{BERLIN}0327T100000"]
series = [*start, "RRULE:FREQ=DAILY;COUNT=3"]
moved = [f"DTSTART;{BERLIN}0328T150000", f"DTEND;{BERLIN}0328T160000"]
early = [f"DTSTART;{BERLIN}0327T023000", f"DTEND;{BERLIN}0327T033000", "RRULE:FREQ=DAILY;COUNT=2"]
later = [f"RECURRENCE-ID;RANGE=THISANDFUTURE;{BERLIN}0328T090000", *moved]
first, last = "27 08:00 to 09:00", "29 07:00 to 08:00"
seen = {
    "moved, in the zone": (days(series, [f"RECURRENCE-ID;{BERLIN}0328T090000", *moved]), [first, "28 13:00 to 14:00", last]),
    "moved, in UTC": (
        days(series, ["RECURRENCE-ID:20270328T070000Z", *moved]),
        [first, "28 07:00 to 08:00", "28 13:00 to 14:00", last],
    ),
    "removed, in UTC": (days([*series, "EXDATE:20270328T070000Z"]), [first, last]),
    "this and future": (days(series, later), [first, "28 13:00 to 14:00", last]),
    "a start and an RDATE": (days([*start, f"RDATE;{BERLIN}0401T090000"]), ["01 07:00 to 08:00"]),
    "at 02:30": (days(early), ["27 01:30 to 02:30", "28 01:30 to 01:30"]),
}
for name, (shown, _) in seen.items():
    print(f"{name}:", ", ".join(shown))
for name, (shown, expected) in seen.items():
    assert shown == expected, name
EOF
venv/bin/python look.py
