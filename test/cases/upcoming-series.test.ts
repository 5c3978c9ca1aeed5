import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { useImport } from './support/use-import.ts';

/** The weekday of both starts below, and the days of a week that begins now. */
const MONDAYS = ['20190107', '20190701'];

describe('sluice events list --when upcoming, of imported series', () => {
  const at = useImport();
  const dir = newFolder();

  const imported = async (name: string, text: string, more: readonly string[] = []) => {
    const source = await at.addSource();
    await writeFile(join(dir, name), text);
    const done = await at.run(['import', join(dir, name), '--source', source, '--json', ...more]);
    expect(done.code, done.stderr).to.equal(0);
    return source;
  };
  const upcoming = async (source: string, ...more: string[]) =>
    (await at.run(['events', 'list', '--source', source, '--when', 'upcoming', '--json', ...more])).rows;

  it('shows the next start by the clocks of the zone, whether the series began in summer or winter', async () => {
    const events = MONDAYS.flatMap((day) => [
      ...['BEGIN:VEVENT', `UID:${day}`, `SUMMARY:Since ${day}`, 'RRULE:FREQ=WEEKLY'],
      ...[`DTSTART;TZID=Europe/Berlin:${day}T100000`, 'END:VEVENT'],
    ]);
    const text = ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR'].join('\r\n');
    const rows = await upcoming(await imported('series.ics', text));
    expect(rows).to.have.length(2);
    for (const row of rows) {
      expect(row.time_zone).to.equal('Europe/Berlin');
      expect(row.next_starts_at).to.match(/^20\d\d-\d\d-\d\dT10:00:00\+0[12]:00$/);
      const next = Date.parse(row.next_starts_at as string);
      expect(next).to.be.within(Date.now() - DAY_MS, Date.now() + 8 * DAY_MS);
    }
    expect(new Set(rows.map(({ next_starts_at }) => next_starts_at))).to.have.property('size', 1);
  });

  it('sorts by the next start, keeps --limit, and has a zone of a CSV file by --time-zone', async () => {
    const hour = (n: number) => `2019-01-07 ${String(n).padStart(2, '0')}:00,daily`;
    const text = [
      'title,starts_at,recurring',
      `Late,${hour(23)}`,
      `Early,${hour(1)}`,
      `Noon,${hour(12)}`,
    ].join('\n');
    const source = await imported('series.csv', text, ['--time-zone', 'Asia/Tokyo']);
    const rows = await upcoming(source);
    const starts = rows.map(({ next_starts_at }) => next_starts_at as string);
    expect(starts).to.deep.equal([...starts].sort());
    for (const row of rows) expect(row.next_starts_at).to.match(/\+09:00$/);
    expect(await upcoming(source, '--limit', '2')).to.deep.equal(rows.slice(0, 2));
  });
});
