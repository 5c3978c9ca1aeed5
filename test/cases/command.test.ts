import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startFeedServer } from '../support/feed-server.ts';
import { newFolder } from '../support/folder.ts';
import { useImport } from './support/use-import.ts';

const CSV = ['title,starts_at,where', 'One,2027-05-30 10:00,Pool', 'Two,30 February,Pool'].join('\n');

describe('sluice import', () => {
  const at = useImport();
  const dir = newFolder();

  const file = async (name: string, text: string) => {
    await writeFile(join(dir, name), text);
    return join(dir, name);
  };
  const list = async (source: string) =>
    (await at.run(['events', 'list', '--source', source, '--json'])).rows;

  it('says in a dry run what it would do, and changes nothing', async () => {
    const source = await at.addSource();
    const path = await file('a.csv', CSV);
    const args = ['import', path, '--source', source, '--time-zone', 'Europe/Berlin', '--json'];
    const dry = await at.run([...args, '--dry-run']);
    expect(dry.code).to.equal(1);
    expect(dry.rows[0]).to.deep.equal({
      row: 2,
      verdict: 'new',
      event: { title: 'One', starts_at: '2027-05-30T08:00:00.000Z', location: 'Pool', status: 'upcoming' },
      notes: [],
      errors: [],
    });
    expect(dry.rows[1]).to.include({ row: 3, verdict: 'bad', event: null });
    expect(dry.rows[2]?.summary).to.deep.equal({
      ...{ new: 1, update: 0, unchanged: 0, cancel: 0, bad: 1, left_out: 0 },
    });
    expect(await list(source)).to.deep.equal([]);
    const done = await at.run(args);
    expect(done.rows).to.deep.equal(dry.rows);
    expect(await list(source)).to.have.length(1);
  });

  it('applies each good row like a webhook, in the delivery log, and shows it as unchanged the next time', async () => {
    const source = await at.addSource();
    const args = ['import', await file('b.csv', CSV), '--source', source, '--json'];
    await at.run(args);
    const deliveries = await at.run(['deliveries', 'list', '--source', source, '--json']);
    expect(deliveries.rows.map(({ title, outcome }) => [title, outcome])).to.deep.equal([['One', 'created']]);
    expect((await at.run(args)).rows[0]).to.include({ verdict: 'unchanged' });
  });

  it('shows the progress of a long import on stderr, and only data on stdout', async () => {
    const source = await at.addSource();
    const rows = Array.from({ length: 1050 }, (_, n) => `Event ${n},2027-05-30T10:00:00Z`);
    const path = await file('long.csv', ['title,starts_at', ...rows].join('\n'));
    const done = await at.run(['import', path, '--source', source, '--json']);
    expect(done.stderr).to.equal('1,000 of 1,050 rows sent\n1,050 of 1,050 rows sent\n');
    expect(done.rows).to.have.length(1051);
  });

  it('shows the cancel of an event that moved as done, also if the plan rejects the new event', async () => {
    const source = await at.addSource('free');
    const ics = (hour: number) =>
      Array.from({ length: 5 }, (_, n) => [
        ...['BEGIN:VEVENT', `UID:${n}`, `SUMMARY:Event ${n}`],
        ...[`DTSTART:20270530T${n === 0 ? hour : 12}0000Z`, 'END:VEVENT'],
      ]).flat();
    const run = async (hour: number) => {
      const text = ['BEGIN:VCALENDAR', ...ics(hour), 'END:VCALENDAR'].join('\r\n');
      return at.run(['import', await file('moved.ics', text), '--source', source, '--json']);
    };
    expect((await run(10)).code).to.equal(0);
    const { rows } = await run(11);
    expect(rows.slice(0, 2).map(({ row, verdict }) => [row, verdict])).to.deep.equal([
      [1, 'cancel'],
      [1, 'bad'],
    ]);
  });

  it('reads the columns that --map names, and says which columns there are if one is missing', async () => {
    const source = await at.addSource();
    const path = await file('c.csv', 'Veranstaltung,Wann\nOne,2027-05-30T10:00:00Z');
    const unknown = await at.run(['import', path, '--source', source, '--json']);
    expect([unknown.code, unknown.rows]).to.deep.equal([1, []]);
    expect(unknown.stderr).to.match(/title or starts_at.*--map COLUMN=title.*"Veranstaltung", "Wann"/);
    const maps = ['--map', 'Veranstaltung=title', '--map', 'wann=starts_at'];
    const known = await at.run(['import', path, '--source', source, ...maps, '--json']);
    expect(known.rows[0]).to.deep.include({ verdict: 'new' });
  });

  for (const [what, args, message] of [
    ['a zone that does not exist', ['--time-zone', 'Mars/Base'], /no such time zone/],
    ['a column that does not exist', ['--map', 'Nowhere=title'], /no column "Nowhere"/],
    ['a field that does not exist', ['--map', 'title=name'], /one of these fields: title, starts_at/],
  ] as const)
    it(`exits with 2 for ${what}`, async () => {
      const path = await file('d.csv', CSV);
      const done = await at.run(['import', path, '--source', await at.addSource(), ...args]);
      expect(done.code).to.equal(2);
      expect(done.stderr).to.match(message);
    });

  it('exits with 2 for a file that does not exist, and with 1 for one that holds no events', async () => {
    const source = await at.addSource();
    expect((await at.run(['import', join(dir, 'none.ics'), '--source', source])).code).to.equal(2);
    const empty = await file('e.ics', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n');
    const done = await at.run(['import', empty, '--source', source, '--json']);
    expect([done.code, done.rows]).to.deep.equal([1, []]);
    expect(done.stderr).to.match(/no events/);
  });

  it('counts and names the upcoming events of the last import that a calendar no longer has', async () => {
    const source = await at.addSource();
    const ics = (...events: readonly (readonly [string, string, ...string[]])[]) =>
      [
        'BEGIN:VCALENDAR',
        ...events.flatMap(([title, day, ...more]) => [
          ...[
            'BEGIN:VEVENT',
            `UID:${title}`,
            `SUMMARY:${title}`,
            `DTSTART:${day}T180000Z`,
            ...more,
            'END:VEVENT',
          ],
        ]),
        'END:VCALENDAR',
      ].join('\r\n');
    const notesOf = async (text: string, ...args: string[]) => {
      const path = await file('gone.ics', text);
      const done = await at.run(['import', path, '--source', source, '--json', ...args]);
      return done.rows.at(-1)?.notes;
    };
    const TALK = ['Talk', '20300901'] as const;
    const club = ['Club', '20200101', 'RRULE:FREQ=WEEKLY'] as const;
    const others = [
      ['Walk', '20300902'],
      ['Past', '20200902'],
      ['Cancelled', '20300903', 'STATUS:CANCELLED'],
    ] as const;
    expect(await notesOf(ics(TALK, club, ...others))).to.deep.equal([]);
    // Another calendar has none of these events.
    expect(await notesOf(ics(['Dance', '20300904']), '--dry-run')).to.deep.equal([]);
    // A cut calendar may lack them.
    const cut = ics(TALK).replace('END:VCALENDAR', '');
    expect((await notesOf(cut, '--dry-run')) as string[]).to.have.length(1);
    const moved = ics(['Talk', '20301001']);
    for (const args of [['--dry-run'], []])
      expect(await notesOf(moved, ...args)).to.deep.equal([
        '2 upcoming events of the last import are not in the calendar any more: "Club" at 2020-01-01T18:00:00.000Z, "Walk" at 2030-09-02T18:00:00.000Z. They stay upcoming. Cancel what does not take place.',
      ]);
    // The last import did not have them.
    expect(await notesOf(moved)).to.deep.equal([]);
    expect((await list(source)).map(({ title, status }) => `${title} ${status}`)).to.include('Walk upcoming');
  });

  it('imports nothing into a source that is switched off, and says so', async () => {
    const source = await at.addSource();
    await at.run(['source', 'deactivate', source]);
    const done = await at.run(['import', await file('f.csv', CSV), '--source', source, '--json']);
    expect([done.code, done.rows]).to.deep.equal([1, []]);
    expect(done.stderr).to.match(/switched off/);
  });

  it('reads a feed that is compressed, in the charset that its response names', async () => {
    const event =
      'BEGIN:VEVENT\r\nUID:d\r\nSUMMARY:D\xb3ugi dzie\xf1\r\nDTSTART:20270706T100000Z\r\nEND:VEVENT';
    const server = await startFeedServer((_request, response) => {
      response.setHeader('content-type', 'text/calendar; charset="ISO-8859-2"');
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.from(`BEGIN:VCALENDAR\r\n${event}\r\nEND:VCALENDAR\r\n`, 'latin1')));
    });
    try {
      const feed = `webcal://127.0.0.1:${server.port}/calendar`;
      const done = await at.run(['import', feed, '--source', await at.addSource(), '--dry-run', '--json']);
      expect(done.rows[0]?.event, done.stderr).to.include({ title: 'Długi dzień' });
    } finally {
      await server.close();
    }
  });

  it('prints the same for people: a table on stdout, the counts on stderr', async () => {
    const done = await at.run([
      'import',
      await file('g.csv', CSV),
      '--source',
      await at.addSource(),
      '--dry-run',
    ]);
    expect(done.stdout).to.match(
      /^ROW +VERDICT +STARTS_AT +TITLE +WHAT\n2 +new +2027-05-30T10:00:00.000Z +One/,
    );
    expect(done.stderr).to.match(/1 new.*1 bad.*Nothing was changed/);
  });
});
