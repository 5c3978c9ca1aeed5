#!/usr/bin/env bash
# A daily task of Spring at 02:30 does not run when the clocks go forward, and runs twice when they go back.
#
# Expected: one run a day, as with cron: 03:00 or 03:30 on the day without 02:30, and once on the day with two.
# Instead: in spring Spring, Quartz and cron-utils all pass over the day. In autumn Spring runs at both 02:30, Quartz at the second,
#   cron-utils at the first. Of each quarter of an hour, Quartz leaves out the first four: a pause of 75 minutes.
# Versions: spring-context 7.0.1, Quartz 2.5.1, cron-utils 9.2.1, OpenJDK 17.0.15. Date: 2026-11-28.
# Hurts: invoices and reports of the night: none on one day, two on another, with `@Scheduled(cron = "0 30 2 * * *", zone = …)`.
# In our code: no schedule follows local clocks; packages/mailboxes computes delays in milliseconds.
set -euo pipefail
for program in java mvn; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'EOF'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>look</groupId><artifactId>look</artifactId><version>1</version><dependencies>
<dependency><groupId>org.springframework</groupId><artifactId>spring-context</artifactId><version>7.0.1</version></dependency>
<dependency><groupId>org.quartz-scheduler</groupId><artifactId>quartz</artifactId><version>2.5.1</version></dependency>
<dependency><groupId>com.cronutils</groupId><artifactId>cron-utils</artifactId><version>9.2.1</version></dependency>
</dependencies></project>
EOF
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib
cat >Look.java <<'EOF'
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.*;
import java.util.*;
import java.util.function.UnaryOperator;

class Look {
  static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  static UnaryOperator<ZonedDateTime> spring(String line) {
    var expression = org.springframework.scheduling.support.CronExpression.parse(line);
    return expression::next;
  }

  static UnaryOperator<ZonedDateTime> quartz(String line) throws Exception {
    var expression = new org.quartz.CronExpression(line.replaceFirst(" \\*$", " ?"));
    expression.setTimeZone(TimeZone.getTimeZone(BERLIN));
    return at -> expression.getNextValidTimeAfter(Date.from(at.toInstant())).toInstant().atZone(BERLIN);
  }

  static UnaryOperator<ZonedDateTime> cronUtils(String line) {
    var definition = CronDefinitionBuilder.instanceDefinitionFor(CronType.SPRING53);
    var time = ExecutionTime.forCron(new CronParser(definition).parse(line));
    return at -> time.nextExecution(at).orElseThrow();
  }

  /** The runs of the Sunday on which the clocks change, in UTC. */
  static void show(String name, String line, LocalDate sunday, UnaryOperator<ZonedDateTime> next) {
    var runs = new ArrayList<String>();
    var end = sunday.atTime(4, 0).atZone(BERLIN);
    for (var at = next.apply(sunday.atTime(1, 0).atZone(BERLIN)); at.isBefore(end); at = next.apply(at))
      runs.add(at.withZoneSameInstant(ZoneOffset.UTC).toLocalTime().toString());
    System.out.println(name + " " + line + " on " + sunday + ": " + String.join(" ", runs));
  }

  public static void main(String[] args) throws Exception {
    for (var sunday : List.of(LocalDate.of(2027, 3, 28), LocalDate.of(2027, 10, 31)))
      for (var line : List.of("0 30 2 * * *", "0 */15 * * * *")) {
        show("Spring", line, sunday, spring(line));
        show("Quartz", line, sunday, quartz(line));
        show("cron-utils", line, sunday, cronUtils(line));
      }
  }
}
EOF
java -cp 'lib/*' Look.java 2>/dev/null | tee seen.txt
expect() { grep -qFx -- "$1" seen.txt || { echo "not seen any more: $1"; exit 1; }; }
for name in Spring Quartz cron-utils; do expect "$name 0 30 2 * * * on 2027-03-28: "; done
expect 'Spring 0 30 2 * * * on 2027-10-31: 00:30 01:30'
expect 'Quartz 0 30 2 * * * on 2027-10-31: 01:30'
expect 'cron-utils 0 30 2 * * * on 2027-10-31: 00:30'
grep -q '^Quartz 0 \*/15 .* 2027-10-31: 23:15 23:30 23:45 01:00 01:15' seen.txt || { echo 'Quartz does not pause any more'; exit 1; }
grep -q '^Spring 0 \*/15 .* 23:45 00:00 00:15' seen.txt || { echo 'Spring pauses now'; exit 1; }
