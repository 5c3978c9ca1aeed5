import type { CheckedRow, ImportRow, KnownEvent } from '@sluice/dashboard-api/imports';
import type { ImportTable } from '@sluice/import/read/import-table';
import { guessMapping } from '@sluice/import/read/mapping';
import { planFile } from '@sluice/import/read/plan-file';
import { readCalendarText } from '@sluice/import/read/read-file';
import { expect } from 'chai';

const SERIES = ['UID:s', 'SUMMARY:Club', 'DTSTART:20270104T180000Z', 'RRULE:FREQ=WEEKLY'];
const DAY = ['UID:s', 'RECURRENCE-ID:20270111T180000Z', 'SUMMARY:Club', 'DTSTART:20270112T180000Z'];
const DAY_ID = '2027-01-11T18:00:00Z';

/** Ids of events that begin at a time: enough to tell apart the events of these tests. */
const idOf = ({ event }: ImportRow) => `evt_${event.title} ${event.starts_at} ${event.location ?? ''}`;

function known(more: Partial<KnownEvent> = {}): KnownEvent {
  const one = { uid: 's', recurrence_id: '', title: 'Club', starts_at: '2027-01-04T18:00:00Z', location: '' };
  const all = { ...one, cancelled: false, ...more };
  return { event_id: `evt_${all.title} ${all.starts_at} ${all.location}`, ...all };
}

const MOVED_DAY = known({ recurrence_id: DAY_ID, starts_at: '2027-01-12T18:00:00Z' });

const NEW_YEAR = Date.parse('2027-01-01T00:00:00Z');

interface Now {
  /** The last line of the file. */
  readonly end?: string;
  /** Milliseconds since the Unix epoch. */
  readonly now?: number;
}

/** Plans a calendar whose events are these, where earlier imports have made the known ones. */
async function plan(
  events: readonly (readonly string[])[],
  before: readonly KnownEvent[],
  { end = 'END:VCALENDAR', now = NEW_YEAR }: Now = {},
) {
  const lines = events.flatMap((one) => ['BEGIN:VEVENT', ...one, 'END:VEVENT']);
  const read = await readCalendarText({
    name: 'a.ics',
    text: ['BEGIN:VCALENDAR', ...lines, end].join('\r\n'),
  });
  if (read.outcome === 'refused') throw new Error(read.why);
  const table: ImportTable = read.table;
  const stored = new Set(before.map(({ event_id }) => event_id));
  const { rows: planned } = await planFile(
    { table, mapping: guessMapping(table), zone: 'UTC', now },
    {
      check: async (rows) =>
        rows.map((row): CheckedRow => {
          const [there, absent] =
            row.action === 'cancel' ? (['cancel', 'nothing'] as const) : (['update', 'new'] as const);
          return { row: row.row, event_id: idOf(row), verdict: stored.has(idOf(row)) ? there : absent };
        }),
      find: async (uids) => ({
        known: before.filter(({ uid }) => uids.includes(uid)),
        unread: [],
        seen: 'v1',
      }),
      findGone: async () => ({ count: 0, events: [] }),
    },
  );
  return planned.map(({ row, checked, notes }) => ({
    what: `${checked.verdict} ${row.event.title} ${row.event.starts_at?.slice(0, 10)}`,
    notes,
  }));
}

const whatOf = async (...args: Parameters<typeof plan>) => (await plan(...args)).map(({ what }) => what);

describe('importing: what earlier imports know about a UID', () => {
  it('leaves one event of a changed day that is moved again, and cancels the other first', async () => {
    const again = [...DAY.slice(0, 3), 'DTSTART:20270113T180000Z'];
    expect(await whatOf([SERIES, again], [known(), MOVED_DAY])).to.deep.equal([
      'update Club 2027-01-04',
      'cancel Club 2027-01-12',
      'new Club 2027-01-13',
    ]);
  });

  it('cancels nothing for what a file lacks that is cut off, and says so', async () => {
    const cut = { end: 'BEGIN:VTODO' };
    expect(await whatOf([SERIES], [known(), MOVED_DAY], cut)).to.deep.equal(['update Club 2027-01-04']);
  });

  it('leaves a changed day that is past, because feeds list the last weeks only', async () => {
    const after = { now: Date.parse('2027-01-12T18:00:01Z') };
    expect(await whatOf([SERIES], [known(), MOVED_DAY], after)).to.deep.equal(['update Club 2027-01-04']);
  });

  for (const line of ['STATUS:CANCELLED', 'SUMMARY:Canceled: Club'])
    it(`cancels the changed days of a series with it (${line})`, async () => {
      const planned = await plan([[line, ...SERIES]], [known(), MOVED_DAY]);
      expect(planned.map(({ what }) => what)).to.deep.equal([
        'cancel Club 2027-01-04',
        'cancel Club 2027-01-12',
      ]);
      expect(planned[1]?.notes.join()).to.match(
        /The series is cancelled, and with it the changed day "Club"/,
      );
    });

  it('cancels no other day of a series with one day', async () => {
    const day = ['UID:s', 'RECURRENCE-ID:20270118T180000Z', 'STATUS:CANCELLED'];
    const other = known({ recurrence_id: '2027-01-18T18:00:00Z', starts_at: '2027-01-19T18:00:00Z' });
    expect(await whatOf([day], [known(), MOVED_DAY, other])).to.deep.equal(['cancel Club 2027-01-19']);
  });

  it('cancels the event of a day that the series no longer changes, and says so', async () => {
    const planned = await plan([SERIES], [known(), MOVED_DAY]);
    expect(planned.map(({ what }) => what)).to.deep.equal([
      'update Club 2027-01-04',
      'cancel Club 2027-01-12',
    ]);
    expect(planned[1]?.notes.join()).to.match(/no longer has the changed day "Club"/);
  });

  it('cancels the event of a day that is listed again as its series has it', async () => {
    const first = known({ recurrence_id: '2027-01-04T18:00:00Z', starts_at: '2027-01-05T18:00:00Z' });
    const back = ['UID:s', 'RECURRENCE-ID:20270104T180000Z', ...SERIES.slice(1, 3)];
    expect(await whatOf([SERIES, back], [known(), first])).to.deep.equal([
      'update Club 2027-01-04',
      'cancel Club 2027-01-05',
    ]);
  });

  it('keeps the days that the file has, also in another zone', async () => {
    const inBerlin = ['UID:s', 'RECURRENCE-ID;TZID=Europe/Berlin:20270111T190000', ...DAY.slice(2)];
    expect(await whatOf([SERIES, inBerlin], [known(), MOVED_DAY])).to.deep.equal([
      'update Club 2027-01-04',
      'update Club 2027-01-12',
    ]);
  });

  it('does not repeat the cancel of a day that is cancelled', async () => {
    expect(await whatOf([SERIES], [known(), { ...MOVED_DAY, cancelled: true }])).to.deep.equal([
      'update Club 2027-01-04',
    ]);
  });

  it('cancels an event by its UID, without title, start and location', async () => {
    expect(await whatOf([['UID:s', 'STATUS:CANCELED']], [known({ location: 'Hall' })])).to.deep.equal([
      'cancel Club 2027-01-04',
    ]);
  });

  for (const word of ['Canceled', 'CANCELLED', 'Abgesagt', 'Annulé ', 'Cancelado'])
    it(`cancels the known event of a title that begins with "${word}:"`, async () => {
      const event = ['UID:s', `SUMMARY:${word}: Club`, 'DTSTART:20270104T180000Z', 'LOCATION:elsewhere'];
      expect(await whatOf([event], [known()])).to.deep.equal(['cancel Club 2027-01-04']);
    });

  it('imports an unknown event whose title says that it is cancelled as a cancelled one, with a note', async () => {
    const [row] = await plan([['UID:s', 'SUMMARY:Canceled: Club', 'DTSTART:20270104T180000Z']], []);
    expect(row?.what).to.equal('new Club 2027-01-04');
    expect(row?.notes.join()).to.match(/"Canceled: Club" says that the event is cancelled/);
  });

  it('cancels no event of two that exchanged their times', async () => {
    const one = ['UID:a', 'SUMMARY:Talk', 'DTSTART:20270105T180000Z'];
    const other = ['UID:b', 'SUMMARY:Talk', 'DTSTART:20270104T180000Z'];
    const before = [
      known({ uid: 'a', title: 'Talk', starts_at: '2027-01-04T18:00:00Z' }),
      known({ uid: 'b', title: 'Talk', starts_at: '2027-01-05T18:00:00Z' }),
    ];
    expect(await whatOf([one, other], before)).to.deep.equal([
      'update Talk 2027-01-05',
      'update Talk 2027-01-04',
    ]);
  });

  it('does not cancel the event of a UID that another entry of the file has now', async () => {
    const cancelled = ['UID:a', 'STATUS:CANCELLED'];
    const other = ['UID:b', 'SUMMARY:Talk', 'DTSTART:20270104T180000Z'];
    const before = [known({ uid: 'a', title: 'Talk' }), known({ uid: 'b', title: 'Talk' })];
    expect(await whatOf([other, cancelled], before)).to.deep.equal(['update Talk 2027-01-04']);
    expect(await whatOf([cancelled], before)).to.deep.equal(['cancel Talk 2027-01-04']);
  });

  it('does not trust a UID that several events of a file share', async () => {
    const one = ['UID:s', 'SUMMARY:Talk', 'DTSTART:20270105T180000Z'];
    const other = ['UID:s', 'SUMMARY:Walk', 'DTSTART:20270106T180000Z'];
    expect(await whatOf([one, other], [known()])).to.deep.equal([
      'new Talk 2027-01-05',
      'new Walk 2027-01-06',
    ]);
  });

  it('names the row whose event another row of the file has too', async () => {
    const rental = (uid: string) => [`UID:${uid}`, 'SUMMARY:Rental', 'DTSTART:20270901T180000Z'];
    const rows = await plan([rental('a'), rental('b'), DAY], []);
    expect(rows.map(({ notes }) => notes.join())).to.deep.equal([
      '',
      'This is the event of row 1 again, with the same title, start and location or the same external_id. It replaces what row 1 says.',
      '',
    ]);
  });
});
