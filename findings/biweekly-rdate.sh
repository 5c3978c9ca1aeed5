#!/usr/bin/env bash
# biweekly loses the first day of an event whose days are listed, and an hour of a series when the clocks change.
#
# Expected: DTSTART is the first instance (RFC 5545, 3.8.5.2), an RDATE may be a period, and a series by the hour has each hour once.
# Instead: with an RDATE and no RRULE the first day is missing. `RDATE;VALUE=PERIOD` adds nothing. When the clocks go back, the hour
#   that is shown first is missing; when they go forward, one instant comes twice. An event at such a time is the second of the two.
# Version: biweekly 0.6.8 (the newest), OpenJDK 17.0.15. Date: 2026-11-28.
# Hurts: courses whose dates are listed one by one: the first meeting is in no calendar.
# In our code: packages/icalendar takes the first start from DTSTART and never expands. A time that is shown twice is the first.
# Usage: findings/biweekly-rdate.sh [version of biweekly]
set -euo pipefail
for program in java mvn; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
version=${1:-0.6.8}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<EOF
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>look</groupId><artifactId>look</artifactId><version>1</version><dependencies>
<dependency><groupId>net.sf.biweekly</groupId><artifactId>biweekly</artifactId><version>$version</version></dependency>
</dependencies></project>
EOF
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib
cat >Look.java <<'EOF'
import biweekly.Biweekly;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;

class Look {
  /** Up to eight starts of an event, in UTC. */
  static String starts(String... lines) {
    var text = String.join("\r\n", "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//findings//EN", "BEGIN:VEVENT", "UID:course",
        "DTSTAMP:20260101T000000Z", String.join("\r\n", lines), "END:VEVENT", "END:VCALENDAR", "");
    var calendar = Biweekly.parse(text).first();
    var event = calendar.getEvents().get(0);
    var zone = calendar.getTimezoneInfo().getTimezone(event.getDateStart());
    var dates = event.getDateIterator(zone == null ? TimeZone.getTimeZone("UTC") : zone.getTimeZone());
    List<String> found = new ArrayList<>();
    while (dates.hasNext() && found.size() < 8) found.add(dates.next().toInstant().toString().substring(5, 16));
    return String.join(" ", found);
  }

  static boolean same = true;

  static void look(String what, String expected, String... lines) {
    var seen = starts(lines);
    System.out.println(what + ": " + seen);
    same &= seen.equals(expected);
  }

  public static void main(String[] args) {
    var start = "DTSTART:20270105T090000Z";
    look("the 5th alone", "01-05T09:00", start);
    look("the 5th, RDATE on the 10th and 11th", "01-10T09:00 01-11T09:00", start, "RDATE:20270110T090000Z,20270111T090000Z");
    look("the 5th and 6th by a rule, a period on the 10th", "01-05T09:00 01-06T09:00", start, "RRULE:FREQ=DAILY;COUNT=2",
        "RDATE;VALUE=PERIOD:20270110T090000Z/PT3H");
    look("hours of Berlin, back", "10-30T23:00 10-31T01:00 10-31T02:00", "DTSTART;TZID=Europe/Berlin:20271031T010000",
        "RRULE:FREQ=HOURLY;COUNT=3");
    look("hours of Berlin, forward", "03-28T00:00 03-28T01:00 03-28T01:00", "DTSTART;TZID=Europe/Berlin:20270328T010000",
        "RRULE:FREQ=HOURLY;COUNT=3");
    look("02:30 of the night with two", "10-31T01:30", "DTSTART;TZID=Europe/Berlin:20271031T023000");
    if (!same) {
      System.out.println("the behaviour has changed");
      System.exit(1);
    }
  }
}
EOF
java -cp 'lib/*' Look.java
