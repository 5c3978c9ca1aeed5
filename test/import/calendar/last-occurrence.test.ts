import { expect } from 'chai';
import { calendar, only, read, vevent } from './support.ts';

/** When a series that begins on a Monday ends. */
function endOf(rule: string, start = 'DTSTART:20190107T100000Z'): string | undefined {
  return only('SUMMARY:x', start, `RRULE:${rule}`).recursUntil;
}

describe('icalendar: the last occurrence of a series', () => {
  for (const [rule, last] of [
    ['FREQ=WEEKLY', undefined],
    ['FREQ=WEEKLY;UNTIL=20190601T000000Z', '2019-05-27T10:00:00Z'],
    ['FREQ=WEEKLY;UNTIL=20190527T100000Z', '2019-05-27T10:00:00Z'],
    ['FREQ=WEEKLY;UNTIL=20190527', '2019-05-27T10:00:00Z'],
    ['FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20190601T000000Z', '2019-05-29T10:00:00Z'],
    ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20190605', '2019-05-27T10:00:00Z'],
    ['FREQ=DAILY;UNTIL=20190110T095959Z', '2019-01-09T10:00:00Z'],
    ['FREQ=DAILY;COUNT=3', '2019-01-09T10:00:00Z'],
    ['FREQ=WEEKLY;COUNT=10', '2019-03-11T10:00:00Z'],
    ['FREQ=MONTHLY;COUNT=13', '2020-01-07T10:00:00Z'],
    ['FREQ=YEARLY;COUNT=3', '2021-01-07T10:00:00Z'],
    ['FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4', '2019-01-16T10:00:00Z'],
    ['FREQ=MONTHLY;UNTIL=20191231', '2019-12-07T10:00:00Z'],
    ['FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20191231T235959Z', '2019-12-27T10:00:00Z'],
    ['FREQ=MONTHLY;BYDAY=1MO;COUNT=5', '2019-05-06T10:00:00Z'],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;INTERVAL=3;COUNT=3', '2019-07-01T10:00:00Z'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2', '2019-02-28T10:00:00Z'],
    ['FREQ=YEARLY;UNTIL=20221231T235959Z', '2022-01-07T10:00:00Z'],
    ['FREQ=YEARLY;BYMONTH=1;BYDAY=1MO;COUNT=3', '2021-01-04T10:00:00Z'],
    // Not computed: the latest time that is possible.
    ['FREQ=MONTHLY;BYMONTHDAY=1,15;UNTIL=20191231T235959Z', '2019-12-31T23:59:59Z'],
    ['FREQ=MONTHLY;BYMONTH=1;COUNT=3', '2022-01-07T10:00:00Z'],
    ['FREQ=WEEKLY;COUNT=99999999999', undefined],
    ['FREQ=WEEKLY;COUNT=0', undefined],
    ['FREQ=WEEKLY;UNTIL=soon', undefined],
  ] as const) {
    it(`of ${rule} is ${last ?? 'unknown, so it goes on'}`, () => {
      expect(endOf(rule)).to.equal(last);
    });
  }

  it('is reckoned in the zone of the event, across changes of the clocks', () => {
    const start = 'DTSTART;TZID=Europe/Berlin:20190107T100000';
    expect(endOf('FREQ=WEEKLY;UNTIL=20190401T080000Z', start)).to.equal('2019-04-01T08:00:00Z');
    expect(endOf('FREQ=WEEKLY;UNTIL=20190401T075959Z', start)).to.equal('2019-03-25T09:00:00Z');
    expect(endOf('FREQ=DAILY;UNTIL=20190401', 'DTSTART;VALUE=DATE:20190107')).to.equal(
      '2019-04-01T00:00:00Z',
    );
  });

  it('includes the day of a midnight in UTC, if the series has whole days', () => {
    for (const start of ['DTSTART;VALUE=DATE:20190107', 'DTSTART;VALUE=DATE:20190107T000000Z']) {
      const event = vevent('SUMMARY:x', start, 'RRULE:FREQ=DAILY;UNTIL=20190401T000000Z');
      const { rows } = read(calendar(...event), 'America/New_York');
      expect(rows[0]?.recursUntil, start).to.equal('2019-04-01T04:00:00Z');
    }
  });

  it('is reckoned in the offset of a start that has one', () => {
    const monthly = 'FREQ=MONTHLY;BYMONTHDAY=1;UNTIL=20270401T120000Z';
    expect(endOf(monthly, 'DTSTART:20270201T003000+0200')).to.equal('2027-03-31T22:30:00Z');
    const weekly = 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20270126T040000Z';
    expect(endOf(weekly, 'DTSTART:20270104T230000-0500')).to.equal('2027-01-26T04:00:00Z');
    expect(endOf('FREQ=WEEKLY;BYDAY=MO;COUNT=2', 'DTSTART:20270104T230000-0500')).to.equal(
      '2027-01-12T04:00:00Z',
    );
  });

  for (const [rule, start] of [
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1;COUNT=9', '20270104'],
    ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3', '20280229'],
    ['FREQ=YEARLY;BYYEARDAY=366;COUNT=3', '20281231'],
    ['FREQ=YEARLY;BYWEEKNO=53;COUNT=3', '20261228'],
    ['FREQ=YEARLY;BYMONTH=2,4;BYMONTHDAY=29;COUNT=200', '20280229'],
    ['FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29,30;COUNT=3', '20280229'],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=100', '20270813'],
    ['FREQ=MONTHLY;BYDAY=5MO,5TU;COUNT=9', '20270329'],
    ['FREQ=DAILY;INTERVAL=7;BYMONTHDAY=13;COUNT=3', '20270813'],
    ['FREQ=DAILY;BYHOUR=9,18;COUNT=3', '20270104'],
    ['FREQ=WEEKLY;INTERVAL=6;BYMONTH=2;COUNT=3', '20270201'],
    ['FREQ=WEEKLY;BYMONTHDAY=13;COUNT=3', '20270813'],
  ] as const)
    it(`is unknown of a rule that may leave years without an occurrence: ${rule}`, () => {
      expect(endOf(rule, `DTSTART;VALUE=DATE:${start}`)).to.equal(undefined);
    });

  for (const [rule, last] of [
    ['FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=6', '2019-07-07T10:00:00Z'],
    ['FREQ=MONTHLY;BYDAY=MO,TU;COUNT=6', '2019-08-07T10:00:00Z'],
    ['FREQ=YEARLY;BYMONTH=1,6;COUNT=3', '2022-01-07T10:00:00Z'],
    ['FREQ=DAILY;BYMONTH=1;COUNT=3', '2022-01-07T10:00:00Z'],
    ['FREQ=DAILY;BYMONTHDAY=13;COUNT=3', '2019-04-07T10:00:00Z'],
    ['FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4000', '2057-05-07T10:00:00Z'],
    ['FREQ=WEEKLY;BYDAY=MO,MO;COUNT=4000', '2095-09-05T10:00:00Z'],
  ] as const)
    it(`is at most ${last} for ${rule}`, () => {
      expect(endOf(rule)).to.equal(last);
    });

  it('is never before the real one if the weekday comes later in that month', () => {
    // The second Tuesdays from 9 February on are 9 March and 13 April.
    const start = 'DTSTART:20270209T100000Z';
    expect(endOf('FREQ=MONTHLY;BYDAY=2TU;COUNT=3', start)).to.equal('2027-04-13T10:00:00Z');
    expect(endOf('FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270413T100000Z', start)).to.equal('2027-04-13T10:00:00Z');
  });

  it('skips the months and years that lack its day', () => {
    expect(endOf('FREQ=MONTHLY;COUNT=3', 'DTSTART:20190131T100000Z')).to.equal('2019-05-31T10:00:00Z');
    expect(endOf('FREQ=MONTHLY;UNTIL=20190630', 'DTSTART:20190131T100000Z')).to.equal('2019-05-31T10:00:00Z');
    const leapDay = 'DTSTART;VALUE=DATE:20200229';
    expect(endOf('FREQ=YEARLY;COUNT=2', leapDay)).to.equal('2024-02-29T00:00:00Z');
    expect(endOf('FREQ=YEARLY;UNTIL=20270101', leapDay)).to.equal('2024-02-29T00:00:00Z');
  });

  it('is not before the first day, whatever the rule', () => {
    expect(endOf('FREQ=WEEKLY;UNTIL=20180101')).to.equal('2019-01-07T10:00:00Z');
  });

  it('belongs to a recurring event alone', () => {
    const { rows } = read(calendar(...vevent('SUMMARY:x', 'DTSTART:20190107T100000Z')));
    expect(rows[0]).not.to.have.property('recursUntil');
  });
});
