import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { NEIGHBOURS, type Neighbour } from './support/neighbours.ts';
import { useImport } from './support/use-import.ts';

/** Neighbours of the cases: other zones, names, lines and slips of the same kinds. */
describe('sluice import --dry-run: neighbours of the cases', () => {
  const at = useImport();
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-neighbours-'));
  });
  after(() => rm(dir, { recursive: true }));

  const dryRun = async ({ name, bytes, zone }: Neighbour) => {
    const path = join(dir, name);
    await writeFile(path, bytes);
    const zoned = zone === undefined ? [] : ['--time-zone', zone];
    const source = await at.addSource();
    const done = await at.run(['import', path, '--source', source, '--dry-run', '--json', ...zoned]);
    const rows = done.rows.filter(({ row }) => row !== undefined);
    const events = rows.flatMap(({ event }) => (event === null ? [] : [event as Record<string, string>]));
    return { ...done, rows, events, text: JSON.stringify(done.rows).toLowerCase() };
  };
  const minute = (instant = '') => instant.slice(0, 16);

  for (const one of NEIGHBOURS)
    it(one.about, async () => {
      const { rows, events, text, stderr } = await dryRun(one);
      const times = events.map(({ title, starts_at, ends_at }) =>
        [title, minute(starts_at), minute(ends_at)].filter((part) => part !== ''),
      );
      expect(times, `${stderr} ${text}`).to.deep.equal(one.events);
      expect(rows.filter(({ verdict }) => verdict === 'bad')).to.have.length(one.bad ?? 0);
      for (const words of one.notes ?? []) expect(text).to.contain(words.toLowerCase());
    });
});
