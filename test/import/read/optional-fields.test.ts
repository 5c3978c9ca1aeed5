import { expect } from 'chai';
import { csv } from './support.ts';

describe('importing: optional fields of other programs', () => {
  const only = async (column: string, text: string) => {
    const [row] = await csv(`title,starts_at,${column}`, `x,2027-05-30T10:00:00Z,"${text}"`)();
    return row as NonNullable<typeof row>;
  };

  for (const [text, url] of [
    ['www.example.org', 'https://www.example.org'],
    ['example.org/fair?x=1', 'https://example.org/fair?x=1'],
    ['https://example.org/', 'https://example.org/'],
    ['n/a', undefined],
    ['-', undefined],
    ['None', undefined],
    ['geo:52.5,13.4', undefined],
    ['message://%3Cabc%40example.org%3E', undefined],
    ['see flyer', undefined],
  ] as const) {
    it(`reads the link "${text}" as ${url ?? 'none'}`, async () => {
      expect((await only('url', text)).event.url).to.equal(url);
    });
  }

  it('notes a link that says something else', async () => {
    expect((await only('url', 'see flyer')).notes.join()).to.match(/url "see flyer" is no web address/);
    expect((await only('url', 'n/a')).notes).to.deep.equal([]);
  });

  it('notes a start or an end that was read as a day number of Excel', async () => {
    const [row, plain] = await csv('title,starts_at,ends_at', 'x,46537,"46537,5"', 'y,2027-05-30,')();
    expect(row?.notes).to.deep.equal([
      'starts_at "46537" was read as a day number of Excel.',
      'ends_at "46537,5" was read as a day number of Excel.',
    ]);
    expect(plain?.notes).to.deep.equal([]);
  });

  for (const [field, max] of [
    ['title', 500],
    ['location', 500],
    ['description', 10_000],
    ['price', 100],
  ] as const) {
    it(`cuts a ${field} that is too long, with a note`, async () => {
      const head = field === 'title' ? 'title,starts_at' : `title,starts_at,${field}`;
      const long = '😀'.repeat(max + 1);
      const [row] = await csv(head, field === 'title' ? `${long},2027-05-30` : `x,2027-05-30,${long}`)();
      expect([...(row?.event[field] ?? '')]).to.have.length(max);
      expect(row?.notes.join()).to.match(new RegExp(`^${field} has .* characters and was cut to`));
    });
  }

  for (const [text, status] of [
    ['Confirmed', 'upcoming'],
    ['CANCELLED', 'cancelled'],
    ['canceled', 'cancelled'],
    ['upcoming', 'upcoming'],
    ['accepted', 'upcoming'],
    ['PENDING', 'upcoming'],
    ['rejected', 'cancelled'],
    ['Cancelled_by_guest', 'cancelled'],
    ['not cancelled', 'upcoming'],
  ] as const) {
    it(`reads the status "${text}" as ${status}`, async () => {
      expect((await only('status', text)).event.status).to.equal(status);
    });
  }

  for (const [text, recurring] of [
    ['No', undefined],
    ['none', undefined],
    ['Weekly', 'weekly'],
    ['every month', 'monthly'],
    ['annually', 'yearly'],
    ['Does not repeat', undefined],
  ] as const) {
    it(`reads the recurrence "${text}" as ${recurring ?? 'none'}`, async () => {
      const { event, notes } = await only('recurring', text);
      expect(event.recurring).to.equal(recurring);
      expect(notes).to.deep.equal([]);
    });
  }

  for (const [text, recurring] of [
    ['biweekly', 'weekly'],
    ['Every 2 weeks', 'weekly'],
    ['Weekly on Monday', 'weekly'],
    ['first Monday of each month', 'monthly'],
    ['Every 3 days', 'daily'],
    ['hourly', undefined],
  ] as const) {
    it(`reads the recurrence "${text}" as ${recurring ?? 'none'}, with a note`, async () => {
      const { event, notes } = await only('recurring', text);
      expect(event.recurring).to.equal(recurring);
      expect(notes.join()).to.include(`recurring "${text}"`);
    });
  }

  it('leaves out a status that it does not know, with a note', async () => {
    const { event, notes } = await only('status', 'strange');
    expect(event.status).to.equal(undefined);
    expect(notes).to.deep.equal(['status "strange" is not known and was left out. The event is upcoming.']);
  });

  for (const column of ['Canceled', 'Is Cancelled', 'canceled_at'])
    it(`reads in the column "${column}" whether a booking is cancelled`, async () => {
      const rows = await csv(
        `title,starts_at,${column}`,
        'a,2027-05-30,false',
        'b,2027-05-30,true',
        'c,2027-05-30,',
      )();
      expect(rows.map(({ event }) => event.status)).to.deep.equal([undefined, 'cancelled', undefined]);
    });

  it('reads an end without a date on the day of the start, or past midnight', async () => {
    const end = async (...lines: string[]) => (await csv(...lines)('Europe/Berlin'))[0]?.event.ends_at;
    expect(await end('title,starts_at,end time', 'x,2027-05-30 10:00,11:00')).to.equal(
      '2027-05-30T09:00:00Z',
    );
    expect(await end('title,date,start time,end time', 'x,2027-05-30,10:00 PM,1:00 AM')).to.equal(
      '2027-05-30T23:00:00Z',
    );
    expect(await end('title,starts_at,ends_time', 'x,2027-05-30 10:00,11:30')).to.equal(
      '2027-05-30T09:30:00Z',
    );
  });

  it('reads an end at 24:00 as the midnight after the day', async () => {
    const [row] = await csv('title,date,start time,end time', 'x,2027-05-30,20:00,24:00')('Europe/Berlin');
    expect(row?.event.ends_at).to.equal('2027-05-30T22:00:00Z');
  });

  for (const [rule, word, note] of [
    ['FREQ=WEEKLY', 'weekly', undefined],
    ['RRULE:FREQ=MONTHLY;INTERVAL=1', 'monthly', undefined],
    ['INTERVAL=2;FREQ=WEEKLY', 'weekly', /was read as weekly. The rest of the rule is dropped/],
    ['FREQ=HOURLY', undefined, /not supported. Only the first day/],
    ['FREQ=NONE', undefined, undefined],
  ] as const)
    it(`reads the rule of a calendar in a column: ${rule}`, async () => {
      const [row] = await csv('title,starts_at,rrule', `x,2027-05-30,${rule}`)();
      expect(row?.event.recurring).to.equal(word);
      expect(row?.notes.join()).to.match(note ?? /^$/);
    });

  for (const [start, rule, until] of [
    ['2019-12-02 10:00', 'FREQ=WEEKLY;UNTIL=20200101T000000Z', '2019-12-30T09:00:00Z'],
    ['2027-03-22 10:00', 'RRULE:FREQ=WEEKLY;COUNT=2', '2027-03-29T08:00:00Z'],
    ['2027-03-22T23:00:00-05:00', 'FREQ=WEEKLY;BYDAY=MO;COUNT=2', '2027-03-30T04:00:00Z'],
    ['2027-03-22', 'FREQ=DAILY;UNTIL=20270329', '2027-03-28T22:00:00Z'],
    ['2027-03-22 10:00', 'FREQ=WEEKLY', undefined],
    ['2027-03-22 10:00', 'weekly', undefined],
  ] as const)
    it(`keeps the end of the rule ${rule} in a column, from ${start}`, async () => {
      const [row] = await csv('title,starts_at,rrule', `x,${start},${rule}`)('Europe/Berlin');
      expect(row?.recursUntil).to.equal(until);
    });

  it('notes a rule in a column whose end cannot be computed', async () => {
    const rule = 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=100';
    const [row] = await csv('title,starts_at,rrule', `x,2027-08-13,${rule}`)();
    expect(row?.recursUntil).to.equal(undefined);
    expect(row?.notes.join()).to.match(/The end of the rule cannot be computed/);
  });

  for (const [head, row, instant] of [
    ['title,starts_at,end time', 'x,2027-05-30 18:00 +05:00,20:00', '2027-05-30T15:00:00Z'],
    ['title,starts_at,end time', 'x,2027-05-30T18:00:00+05:00,20:00', '2027-05-30T15:00:00Z'],
    ['title,date,start time,end time', 'x,2027-05-30,18:00 -05:00,01:00', '2027-05-31T06:00:00Z'],
    ['title,date,start time,end time', 'x,2027-05-30,18:00+02:00,20:00+02:00', '2027-05-30T18:00:00Z'],
  ] as const)
    it(`reads an end without a date with the offset of its start: ${row}`, async () => {
      expect((await csv(head, row)('Asia/Tokyo'))[0]?.event.ends_at).to.equal(instant);
    });

  it('reads an end past the midnight of a night when the clocks change', async () => {
    const end = async (row: string) =>
      (await csv('title,date,start time,end time', row)('Europe/Berlin'))[0]?.event.ends_at;
    expect(await end('x,2027-03-27,22:00,04:00')).to.equal('2027-03-28T02:00:00Z');
    expect(await end('x,2027-10-30,22:00,04:00')).to.equal('2027-10-31T03:00:00Z');
  });

  for (const text of [
    'Sat, 30 Oct 2027 18:00 +0200',
    'Oct 30, 2027 4:00 PM Z',
    '2027-10-30T18:00:00+02:00',
  ]) {
    it(`reads the start "${text}" with its offset`, async () => {
      const [row] = await csv('title,starts_at', `x,"${text}"`)('Asia/Tokyo');
      expect(Date.parse(row?.event.starts_at ?? '')).to.equal(Date.parse('2027-10-30T16:00:00Z'));
      expect(row?.event.starts_at).to.match(/^2027-10-30T/);
    });
  }

  it('leaves out an end that is no time, with a note', async () => {
    const [row] = await csv('title,starts_at,ends_at', 'x,2027-05-30 10:00,late')();
    expect(row?.event).not.to.have.property('ends_at');
    expect(row?.notes.join()).to.match(/ends_at "late" is no time/);
  });

  it('leaves out an end before the start, with a note', async () => {
    const row = await only('ends_at', '2027-05-30T09:00:00Z');
    expect(row.event).not.to.have.property('ends_at');
    expect(row.notes.join()).to.match(/ends_at is before starts_at/);
  });
});
