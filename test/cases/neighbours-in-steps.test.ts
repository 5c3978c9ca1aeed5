import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useImport } from './support/use-import.ts';

const calendar = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

describe('sluice import: neighbours of the cases that change events, and feeds', () => {
  const at = useImport();
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-steps-'));
  });
  after(() => rm(dir, { recursive: true }));

  const importing = async (source: string, text: string, ...more: string[]) => {
    await writeFile(join(dir, 'file.ics'), text);
    return at.run(['import', join(dir, 'file.ics'), '--source', source, '--json', ...more]);
  };
  const stored = async (source: string) =>
    (await at.run(['events', 'list', '--source', source, '--json'])).rows.map(
      ({ title, status, starts_at }) => `${title} ${status} ${String(starts_at).slice(0, 10)}`,
    );

  it('finds the event of METHOD:CANCEL by its UID alone, with neither location nor title', async () => {
    const source = await at.addSource();
    const start = 'DTSTART;TZID=Europe/Oslo:20270706T180000';
    await importing(source, calendar(...event('UID:ski', 'SUMMARY:Ski race', 'LOCATION:Hill', start)));
    const cancel = calendar('METHOD:CANCEL', ...event('UID:ski', 'DTSTAMP:20270101T000000Z'));
    const dry = await importing(source, cancel, '--dry-run');
    expect(dry.rows[0]).to.include({ verdict: 'cancel' });
    await importing(source, cancel);
    expect(await stored(source)).to.deep.equal(['Ski race cancelled 2027-07-06']);
  });

  it('shows the cancel of a moved event as done where its new row is rejected', async () => {
    const env = { PLANS: 'one:1,unlimited' };
    const made = async (args: string) =>
      (await at.run([...args.split(' '), '--json'], env)).rows[0] as Record<string, string>;
    const { account_id } = await made('account create --name Small --plan one');
    const { source_id: source = '' } = await made(`source create --name Fairs --account ${account_id}`);
    const day = (date: string) => calendar(...event('UID:fair', 'SUMMARY:Fair', `DTSTART:${date}T100000Z`));
    // It uses up the plan of this month.
    await importing(source, day('20270701'));
    await writeFile(join(dir, 'moved.ics'), day('20270702'));
    const moved = await at.run(['import', join(dir, 'moved.ics'), '--source', source, '--json'], env);
    expect(moved.rows.slice(0, 2).map(({ row, verdict }) => [row, verdict])).to.deep.equal([
      [1, 'cancel'],
      [1, 'bad'],
    ]);
    expect(JSON.stringify(moved.rows[1]?.errors)).to.contain('plan');
    expect(await stored(source)).to.deep.equal(['Fair cancelled 2027-07-01']);
  });

  it('cancels by a title that begins with "Cancelled:", as British Outlook writes it', async () => {
    const source = await at.addSource();
    const start = 'DTSTART:20270706T180000Z';
    await importing(source, calendar(...event('UID:choir', 'SUMMARY:Choir', start)));
    await importing(source, calendar(...event('UID:choir', 'SUMMARY:Cancelled: Choir', start)));
    expect(await stored(source)).to.deep.equal(['Choir cancelled 2027-07-06']);
  });

  it('leaves no ghost of a moved day that is moved once more', async () => {
    const source = await at.addSource();
    const series = event('UID:s', 'SUMMARY:Yoga', 'DTSTART:20270104T100000Z', 'RRULE:FREQ=WEEKLY');
    const moved = (day: string) =>
      event('UID:s', 'RECURRENCE-ID:20270111T100000Z', 'SUMMARY:Yoga', `DTSTART:${day}T100000Z`);
    await importing(source, calendar(...series, ...moved('20270112')));
    await importing(source, calendar(...series, ...moved('20270113')));
    expect(await stored(source)).to.have.members([
      'Yoga upcoming 2027-01-04',
      'Yoga cancelled 2027-01-12',
      'Yoga upcoming 2027-01-13',
    ]);
  });

  it('reads a feed in ISO 8859-2, which was packed though nobody asked', async () => {
    const text = calendar(...event('UID:d', 'SUMMARY:D\xb3ugi dzie\xf1', 'DTSTART:20270706T100000Z'));
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/calendar; charset="ISO-8859-2"');
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.from(text, 'latin1')));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const source = await at.addSource();
      const feed = `webcal://127.0.0.1:${port}/calendar`;
      const done = await at.run(['import', feed, '--source', source, '--dry-run', '--json']);
      expect(done.rows[0]?.event, done.stderr).to.include({ title: 'Długi dzień' });
    } finally {
      server.close();
    }
  });
});
