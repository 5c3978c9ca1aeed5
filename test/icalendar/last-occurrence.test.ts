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
    // Not computed: the latest time that is possible.
    ['FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20191231T235959Z', '2019-12-31T23:59:59Z'],
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

  it('is not before the first day, whatever the rule', () => {
    expect(endOf('FREQ=WEEKLY;UNTIL=20180101')).to.equal('2019-01-07T10:00:00Z');
  });

  it('belongs to a recurring event alone', () => {
    const { rows } = read(calendar(...vevent('SUMMARY:x', 'DTSTART:20190107T100000Z')));
    expect(rows[0]).not.to.have.property('recursUntil');
  });
});
