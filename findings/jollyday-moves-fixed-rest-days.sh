#!/usr/bin/env bash
# jollyday 1.5.6 (de.focus-shift, Maven), calendar of Mexico.
# A good guess: May 1 and December 25 are public holidays of every year.
# What is so: in 2027 both fall on a Saturday, and the calendar has April 30 and December 24 in
# their place. Mexico's labour law moves no rest day off a weekend: who works on Saturday, May 1 is
# owed double pay, and Friday, April 30 is an ordinary day. The rest day of 2030's change of
# government is on December 2 (the law: October 1).
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>de.focus-shift</groupId>
      <artifactId>jollyday-jackson</artifactId>
      <version>1.5.6</version>
    </dependency>
  </dependencies>
</project>
XML
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=lib >/dev/null
cat >Ask.java <<'JAVA'
import de.focus_shift.jollyday.core.*;
import java.time.LocalDate;
import java.time.Year;

public class Ask {
  public static void main(String[] args) {
    var mexico = HolidayManager.getInstance(ManagerParameters.create(HolidayCalendar.MEXICO));
    for (var day : new String[] {"2026-05-01", "2027-04-30", "2027-05-01", "2027-12-24",
        "2027-12-25", "2030-10-01", "2030-12-02"}) {
      var date = LocalDate.parse(day);
      var isPublic = mexico.getHolidays(Year.of(date.getYear())).stream()
          .anyMatch(one -> one.getDate().equals(date) && one.getType() == HolidayType.PUBLIC_HOLIDAY);
      System.out.println(day + " " + isPublic);
    }
  }
}
JAVA
java -cp 'lib/*' Ask.java 2>/dev/null | tee seen.txt
diff seen.txt - <<'SEEN'
2026-05-01 true
2027-04-30 true
2027-05-01 false
2027-12-24 true
2027-12-25 false
2030-10-01 false
2030-12-02 true
SEEN
