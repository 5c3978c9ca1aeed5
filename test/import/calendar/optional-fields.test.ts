import { expect } from 'chai';
import { only } from './support.ts';

describe('icalendar: optional fields', () => {
  const start = 'DTSTART:20270901T180000Z';

  for (const rule of ['RRULE:', 'RRULE:FREQ=NONE', 'RRULE:FREQ=', 'RRULE:FREQ=none;INTERVAL=1']) {
    it(`reads an event with ${rule} as one that does not recur`, () => {
      const row = only('SUMMARY:x', start, rule);
      expect(row).to.deep.include({ errors: [], notes: [] });
      expect(row.event).not.to.have.property('recurring');
    });
  }

  it('imports the first day of a rule that no word says, with a note', () => {
    const row = only('SUMMARY:x', start, 'RRULE:FREQ=HOURLY');
    expect(row.errors).to.deep.equal([]);
    expect(row.notes.join()).to.match(/FREQ "hourly".*Only the first day is imported/);
  });

  it('notes a second RRULE, and ends a series with the later of both', () => {
    const [short, long] = ['RRULE:FREQ=WEEKLY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=5'];
    const row = only('SUMMARY:x', start, short, long);
    expect(row.event.recurring).to.equal('weekly');
    expect(row.notes.join()).to.match(/more than one RRULE/);
    expect(row.recursUntil).to.equal('2027-09-29T18:00:00Z');
    expect(only('SUMMARY:x', start, short, 'RRULE:FREQ=DAILY').recursUntil).to.equal(undefined);
    for (const same of [short, short.toLowerCase(), 'RRULE:'])
      expect(only('SUMMARY:x', start, same, short)).to.deep.include({
        notes: [],
        recursUntil: '2027-09-08T18:00:00Z',
      });
  });

  it('notes a second RRULE that cannot be imported', () => {
    const row = only('SUMMARY:x', start, 'RRULE:FREQ=HOURLY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=5');
    expect(row.event.recurring).to.equal('weekly');
    expect(row.notes.join()).to.match(/more than one RRULE/);
  });

  for (const [end, note] of [
    ['DTEND:None', /not a valid date/],
    ['DTEND;TZID=Nowhere:20270901T190000', /unknown time zone/],
    ['DTEND:20270901T080000Z', /before DTSTART/],
    ['DURATION:-PT1H', /before DTSTART/],
    ['DURATION:soon', /not a valid duration/],
  ] as const) {
    it(`leaves out the end ${end}, with a note`, () => {
      const row = only('SUMMARY:x', start, end);
      expect(row.errors).to.deep.equal([]);
      expect(row.event).not.to.have.property('ends_at');
      expect(row.notes.join()).to.match(note);
    });
  }

  it('reads an end without a zone in the zone of its start, and fractions of a duration', () => {
    const row = only('SUMMARY:x', 'DTSTART;TZID=Europe/Berlin:20270701T180000', 'DTEND:20270701T200000');
    expect(row.event.ends_at).to.equal('2027-07-01T18:00:00Z');
    const day = only('SUMMARY:x', 'DTSTART;VALUE=DATE:20270706', 'DTEND:20270706T180000Z').event;
    expect(day).to.include({ starts_at: '2027-07-06T00:00:00Z', ends_at: '2027-07-06T18:00:00Z' });
    expect(only('SUMMARY:x', start, 'DURATION:PT1.5H').event.ends_at).to.equal('2027-09-01T19:30:00Z');
    expect(only('SUMMARY:x', start, 'DURATION:PT').event.ends_at).to.equal('2027-09-01T18:00:00Z');
  });

  it('reads the one of DTEND and DURATION that is not empty', () => {
    for (const lines of [
      ['DTEND:', 'DURATION:PT1H'],
      ['DURATION:', 'DTEND:20270901T190000Z'],
    ])
      expect(only('SUMMARY:x', start, ...lines).event.ends_at).to.equal('2027-09-01T19:00:00Z');
  });

  it('joins the lines of title and location, and leaves no separator for empty ones', () => {
    const row = only(
      'SUMMARY:Open\\n\\nday\\n',
      start,
      'LOCATION:\\nHall 6\\n \\nBerlin\\n',
      'DESCRIPTION:a\\n\\nb\\n',
    );
    expect(row.event).to.include({ title: 'Open day', location: 'Hall 6, Berlin', description: 'a\n\nb' });
    expect(only('SUMMARY:x', start, 'LOCATION:\\n').event.location).to.equal('');
  });

  it('takes the backslashes out of a link', () => {
    expect(only('SUMMARY:x', start, 'URL:https://example.org/@1\\,2\\;z').event.url).to.equal(
      'https://example.org/@1,2;z',
    );
  });

  it('imports a change of all following days as a single day, with a note', () => {
    const row = only('SUMMARY:x', start, 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270901T170000Z');
    expect(row.notes.join()).to.match(/all following days.*Only this day is imported/);
  });
});
