#!/usr/bin/env bash
# ical4j removes a day of a series only if its EXDATE is written in the zone of the series.
#
# Expected: an EXDATE names an instant, so 08:00 UTC and 09:00 in Vienna remove the 09:00 of Berlin. biweekly does so.
# Instead: neither removes it. An RDATE with the same instant in UTC is found to be the same. An RDATE that is a day, in a series with
#   times, ends the expansion with "Unsupported unit: Seconds".
# Versions: ical4j 4.4.0, biweekly 0.6.8 (both newest), OpenJDK 17.0.15. Date: 2026-11-28.
# Hurts: calendars of programs that write EXDATE in UTC: a cancelled day is booked again.
# In our code: packages/icalendar/src/read-event.ts knows a changed day by its instant, in whatever zone it is written.
# Usage: findings/ical4j-exdate-zone.sh [version of ical4j]
set -euo pipefail
for program in java mvn; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
version=${1:-4.4.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<EOF
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>look</groupId><artifactId>look</artifactId><version>1</version><dependencies>
<dependency><groupId>org.mnode.ical4j</groupId><artifactId>ical4j</artifactId><version>$version</version></dependency>
<dependency><groupId>net.sf.biweekly</groupId><artifactId>biweekly</artifactId><version>0.6.8</version></dependency>
</dependencies></project>
EOF
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib
cat >Look.java <<'EOF'
import java.io.StringReader;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Period;
import net.fortuna.ical4j.model.component.VEvent;

class Look {
  static String calendar(String line) {
    return String.join("\r\n", "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//findings//EN", "BEGIN:VEVENT", "UID:course",
        "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Europe/Berlin:20270105T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3",
        line, "END:VEVENT", "END:VCALENDAR", "");
  }

  static String byIcal4j(String line) throws Exception {
    var event = (VEvent) new CalendarBuilder().build(new StringReader(calendar(line))).getComponents().get(0);
    var year = new Period<>(ZonedDateTime.parse("2027-01-01T00:00:00Z"), ZonedDateTime.parse("2027-12-31T00:00:00Z"));
    try {
      var days = new ArrayList<String>();
      for (Object period : event.calculateRecurrenceSet(year)) days.add(period.toString().substring(6, 8));
      return String.join(" ", days);
    } catch (DateTimeException error) {
      return error.getMessage();
    }
  }

  static String byBiweekly(String line) {
    var calendar = biweekly.Biweekly.parse(calendar(line)).first();
    var event = calendar.getEvents().get(0);
    var zone = calendar.getTimezoneInfo().getTimezone(event.getDateStart()).getTimeZone();
    var days = new ArrayList<String>();
    event.getDateIterator(zone).forEachRemaining((date) -> days.add(date.toInstant().toString().substring(8, 10)));
    return String.join(" ", days);
  }

  public static void main(String[] args) throws Exception {
    String[][] expected = {
      {"EXDATE;TZID=Europe/Berlin:20270106T090000", "05 07", "05 07"},
      {"EXDATE:20270106T080000Z", "05 06 07", "05 07"},
      {"EXDATE;TZID=Europe/Vienna:20270106T090000", "05 06 07", "05 07"},
      {"RDATE:20270106T080000Z", "05 06 07", "05 06 07"},
      {"RDATE;VALUE=DATE:20270110", "Unsupported unit: Seconds", "05 06 07 10"},
    };
    var same = true;
    for (var row : expected) {
      String ical4j = byIcal4j(row[0]), biweekly = byBiweekly(row[0]);
      System.out.printf("%-42s ical4j %-26s biweekly %s%n", row[0], ical4j, biweekly);
      same &= ical4j.equals(row[1]) && biweekly.equals(row[2]);
    }
    if (!same) {
      System.out.println("the behaviour has changed");
      System.exit(1);
    }
  }
}
EOF
java -cp 'lib/*' Look.java 2>/dev/null # ical4j looks for a logger, and says that there is none.
