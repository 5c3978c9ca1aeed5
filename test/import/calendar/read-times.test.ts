import { expect } from 'chai';
import { calendar, only, read, startOf, vevent } from './support.ts';

describe('icalendar: files', () => {
  for (const [property, instant] of [
    ['DTSTART;TZID=Europe/Berlin:20300701T100000', '2030-07-01T08:00:00Z'],
    ['DTSTART;TZID=Europe/Berlin:20301201T100000', '2030-12-01T09:00:00Z'],
    ['DTSTART;TZID="America/New_York":20300701T100000', '2030-07-01T14:00:00Z'],
    ['DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20300701T100000', '2030-07-01T08:00:00Z'],
    ['DTSTART:20300701T100000', '2030-07-01T10:00:00Z'],
    ['DTSTART;VALUE=DATE:20300701', '2030-07-01T00:00:00Z'],
    // The hour that the clocks show twice, and the hour that they skip (RFC 5545, section 3.3.5).
    ['DTSTART;TZID=America/New_York:20071104T013000', '2007-11-04T05:30:00Z'],
    ['DTSTART;TZID=America/New_York:20070311T023000', '2007-03-11T07:30:00Z'],
    // Forms of ISO 8601 that RFC 5545 does not know.
    ['DTSTART:2030-07-01T10:00:00Z', '2030-07-01T10:00:00Z'],
    ['DTSTART;TZID=Europe/Berlin:2030-07-01T10:00', '2030-07-01T08:00:00Z'],
    ['DTSTART:20300701T1000Z', '2030-07-01T10:00:00Z'],
    ['DTSTART;VALUE=DATE:2030-07-01', '2030-07-01T00:00:00Z'],
    ['DTSTART;VALUE=DATE:20300701T180000Z', '2030-07-01T18:00:00Z'],
    ['DTSTART;TZID=Europe/Berlin:20300701 100000', '2030-07-01T08:00:00Z'],
    ['DTSTART:2030-07-01T10:00:00+02:00', '2030-07-01T08:00:00Z'],
    ['DTSTART;TZID=Asia/Tokyo:20300701T100000.000-0330', '2030-07-01T13:30:00Z'],
    ['DTSTART:20300701T100000.5Z', '2030-07-01T10:00:00Z'],
    ['DTSTART:20300701T100000+9900', undefined],
    ['DTSTART:20161231T235960Z', '2016-12-31T23:59:59Z'],
  ] as const) {
    it(`reads ${property} as ${instant}`, () => {
      expect(startOf(property)).to.equal(instant);
    });
  }

  it("reads times without a zone in the calendar's zone, or in the chosen one", () => {
    const own = calendar(
      'X-WR-TIMEZONE:Europe/Berlin',
      ...vevent('SUMMARY:x', 'DTSTART;VALUE=DATE:20300701'),
    );
    expect(read(own)).to.deep.include({ ownZone: 'Europe/Berlin', withoutZone: 1 });
    expect(read(own).rows[0]?.event.starts_at).to.equal('2030-06-30T22:00:00Z');
    expect(read(own, 'America/New_York').rows[0]?.event.starts_at).to.equal('2030-07-01T04:00:00Z');
  });

  it('reads the midnight of a value that is called a DATE as the whole day, also with a Z', () => {
    for (const midnight of ['20300701T000000Z', '20300701T000000', '20300701']) {
      const { rows, withoutZone } = read(
        calendar(...vevent('SUMMARY:x', `DTSTART;VALUE=DATE:${midnight}`, `DTEND;VALUE=date:${midnight}`)),
        'Europe/Berlin',
      );
      const whole = '2030-06-30T22:00:00Z';
      expect(rows[0]?.event).to.include({ starts_at: whole, ends_at: whole });
      expect(withoutZone).to.equal(1);
    }
  });

  it('computes the end from a duration: days by the calendar, hours by the clock', () => {
    const ends = (start: string, duration: string) =>
      only('SUMMARY:x', `DTSTART${start}`, `DURATION:${duration}`).event.ends_at;
    expect(ends(':20300701T100000Z', 'PT1H30M')).to.equal('2030-07-01T11:30:00Z');
    expect(ends(':20300701T100000Z', 'P1W')).to.equal('2030-07-08T10:00:00Z');
    // The clocks in Berlin go forward on 31 March 2030.
    expect(ends(';TZID=Europe/Berlin:20300330T120000', 'P1D')).to.equal('2030-03-31T10:00:00Z');
    expect(ends(';TZID=Europe/Berlin:20300330T120000', 'PT24H')).to.equal('2030-03-31T11:00:00Z');
  });

  it('rejects a zone with more changes than any real zone has', () => {
    const change = ['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0100'];
    const zoneWith = (dates: number) => [
      ...['BEGIN:VTIMEZONE', 'TZID:Mine', ...change],
      `RDATE:${Array.from({ length: dates }, () => '20000101T000000').join()}`,
      ...['END:STANDARD', 'END:VTIMEZONE'],
    ];
    const start = 'DTSTART;TZID=Mine:20300701T100000';
    expect(startOf(start, ...zoneWith(100))).to.equal('2030-07-01T09:00:00Z');
    expect(startOf(start, ...zoneWith(1000))).to.equal(undefined);
  });
});
