import { expect } from 'chai';
import { calendar, only, read, vevent } from './support.ts';

const event = (title: string) => vevent(`SUMMARY:${title}`, 'DTSTART:20270901T180000Z');
const without = (lines: string[], line: string) => lines.filter((one) => one !== line);

/** Each event of a text: its title, and whether it can be imported. */
function titles(text: string): string[] {
  return read(text).rows.map(
    ({ event: { title }, errors }) => `${title}${errors.length > 0 ? ' (bad)' : ''}`,
  );
}

describe('icalendar: files that are cut off, joined or wrongly nested', () => {
  it('begins an event at each BEGIN:VEVENT, and names the one before it that has no END', () => {
    const text = calendar(...event('One'), ...without(event('Two'), 'END:VEVENT'), ...event('Three'));
    expect(titles(text)).to.deep.equal(['One', 'Two (bad)', 'Three']);
    expect(read(text).rows[1]?.errors[0]?.detail).to.equal('Line 9 begins a VEVENT that has no END:VEVENT.');
  });

  for (const begin of ['BEGIN VEVENT', 'BEGINVEVENT', 'BEGIN', 'BEGIN:VEVEN', 'VEVENT'])
    it(`counts an event as bad that ${begin} begins`, () => {
      const broken = event('Two').map((line) => (line === 'BEGIN:VEVENT' ? begin : line));
      const text = calendar(...event('One'), ...broken, ...event('Three'));
      expect(titles(text)).to.deep.equal(['One', 'Two (bad)', 'Three']);
      expect(read(text).rows[1]?.errors[0]?.detail).to.equal(
        'Line 13 ends a VEVENT that no line BEGIN:VEVENT begins.',
      );
    });

  it('ignores a second END:VEVENT, and a blank before BEGIN', () => {
    expect(
      titles(calendar(...event('One'), 'END:VEVENT', ' BEGIN:VEVENT', ...event('Two').slice(1))),
    ).to.deep.equal([...['One', 'Two']]);
  });

  for (const [what, inner] of [
    ['an alarm', ['BEGIN:VALARM', 'ACTION:DISPLAY']],
    ['a time zone', ['BEGIN:VTIMEZONE', 'BEGIN:STANDARD']],
    ['a to-do', ['BEGIN:VTODO', 'SUMMARY:To do']],
  ] as const) {
    it(`does not lose the event after ${what} without its END`, () => {
      expect(titles(calendar(...inner, ...event('One'), ...event('Two')))).to.deep.equal(['One', 'Two']);
    });
  }

  it('reads files that were joined without their ends, or without a line end between them', () => {
    const [one, two] = [calendar(...event('One')), calendar(...event('Two'))];
    const cut = one.slice(0, one.indexOf('END:VEVENT'));
    expect(titles(cut + two)).to.deep.equal(['One (bad)', 'Two']);
    expect(titles(one.trimEnd() + two)).to.deep.equal(['One', 'Two']);
  });

  it('reads events before, after and without a calendar around them', () => {
    const lines = (...some: string[]) => `${some.join('\r\n')}\r\n`;
    expect(titles(lines(...event('Alone')))).to.deep.equal(['Alone']);
    expect(titles(calendar(...event('One')) + lines(...event('After')))).to.deep.equal(['One', 'After']);
    expect(titles(lines(...event('Before')) + calendar(...event('One')))).to.deep.equal(['Before', 'One']);
  });

  it('notes a file that may be cut off', () => {
    const whole = calendar(...event('One'), ...event('Two'));
    const isCutOff = (text: string) => {
      const { cutOff, notes } = read(text);
      expect(notes.join().includes('may be cut off')).to.equal(cutOff);
      return cutOff;
    };
    expect(isCutOff(whole)).to.equal(false);
    expect(isCutOff(whole.slice(0, whole.indexOf('END:VCALENDAR')))).to.equal(true);
    expect(isCutOff(whole.slice(0, whole.indexOf('SUMMARY:Two')))).to.equal(true);
    expect(isCutOff(whole.slice(0, whole.indexOf('END:VCALENDAR')) + whole)).to.equal(true);
    expect(isCutOff(whole.trimEnd() + whole)).to.equal(false);
    expect(isCutOff(event('Alone').join('\r\n'))).to.equal(false);
  });

  it('names the event whose END is misspelt', () => {
    const text = calendar(
      ...event('One').map((line) => line.replace('END:VEVENT', 'END:VEVNT')),
      ...event('Two'),
    );
    expect(titles(text)).to.deep.equal(['One (bad)', 'Two']);
  });
});

describe('icalendar: lines that break the grammar', () => {
  for (const line of [
    'ATTENDEE;CN="Ada "the first" L":mailto:a@example.org',
    'X-APPLE-RADIUS=49.91',
    'ORGANIZER="mailto:o@example.org"',
    'ATTENDEE;RSVP:mailto:j@example.org',
    'X_ODD_NAME:abc',
    'item1.X-FOO:bar',
    '-----',
    '<b>not a property</b>',
  ]) {
    it(`passes over ${line}, of which nothing is kept`, () => {
      const row = only('SUMMARY:Circle', line, 'DTSTART:20270901T180000Z', 'LOCATION:Hall');
      expect(row).to.deep.include({ errors: [], notes: [] });
      expect(row.event).to.include({ title: 'Circle', starts_at: '2027-09-01T18:00:00Z', location: 'Hall' });
    });
  }

  it('passes over an optional field that cannot be read, with a note', () => {
    const row = only('SUMMARY:Circle', 'DTSTART:20270901T180000Z', 'DTEND 20270901T190000Z');
    expect(row.errors).to.deep.equal([]);
    expect(row.notes.join()).to.match(/^Line 8 has no colon.*It was passed over/);
  });

  it('rejects an event whose location cannot be read, because it would be another event', () => {
    expect(only('SUMMARY:Circle', 'DTSTART:20270901T180000Z', 'LOCATION Hall').errors).to.have.length(1);
  });

  it('continues a description whose line breaks are not escaped, but takes no property for text', () => {
    const row = only(
      'SUMMARY:Circle',
      'DESCRIPTION:First',
      'Location: see below',
      'second line',
      'LOCATION:Hall',
      'DTSTART:20270901T180000Z',
    );
    expect(row.event).to.include({
      description: 'First\nLocation: see below\nsecond line',
      location: 'Hall',
    });
  });

  for (const line of ['BEGIN: 7 PM', 'BEGIN:7PM', 'Begin: 7 pm', 'End: NEVER'])
    it(`keeps "${line}" in a broken description, and the properties after it in the event`, () => {
      const row = only('SUMMARY:Circle', 'DESCRIPTION:First', line, 'DTSTART:20270901T180000Z');
      expect(row.errors).to.deep.equal([]);
      expect(row.event.description).to.equal(`First\n${line}`);
    });

  for (const name of ['x-foo', 'X-FOO', 'X_FOO'])
    it(`keeps the lines of the component ${name} out of the event`, () => {
      const row = only(
        ...['SUMMARY:Circle', `begin:${name}`, 'LOCATION:elsewhere', `end:${name}`],
        'DTSTART:20270901T180000Z',
      );
      expect(row.event).to.deep.include({ title: 'Circle' });
      expect(row.event.location).to.equal(undefined);
    });

  it('reads a description of very many lines within seconds, folded or not', function () {
    this.timeout(30_000);
    for (const line of [' a', 'a', 'a=']) {
      const lines = Array.from({ length: 50_000 }, () => line).join('\r\n');
      const name = line === 'a=' ? 'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:' : 'DESCRIPTION:';
      const row = only('SUMMARY:x', 'DTSTART:20270901T180000Z', name, lines);
      expect(row.event.description?.length).to.be.within(50_000, 100_000);
    }
  });

  it('continues a line after an empty one', () => {
    expect(only('SUMMARY:Lantern', '', '  walk', 'DTSTART:20270901T180000Z').event.title).to.equal(
      'Lantern walk',
    );
  });

  it('reads a file that was written in text mode twice', () => {
    const text = calendar(...vevent('SUMMARY:Long', '  evening', 'DTSTART:20270901T180000Z'));
    for (const end of ['\r\r\n', '\n\r', '\r\n\r', '\n\n', '\r\n\r\n'])
      expect(read(text.replaceAll('\r\n', end)).rows[0]?.event.title, JSON.stringify(end)).to.equal(
        'Long evening',
      );
  });
});
