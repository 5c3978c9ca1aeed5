import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROOT, readPage } from './support.ts';

/** The name of an event at the place where it is logged. */
const EVENT = /event: '([a-z_]+\.[a-z_]+)'|warn\('([a-z_]+\.[a-z_]+)'\)/g;

function loggedEvents(): readonly string[] {
  const files = ['packages', 'services'].flatMap((group) =>
    readdirSync(ROOT + group).flatMap((name) => {
      const folder = `${ROOT}${group}/${name}/src`;
      const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      // The rules of presets name the events of platforms.
      const own = found.filter((file) => file.endsWith('.ts') && !file.startsWith('presets/'));
      return own.map((file) => `${folder}/${file}`);
    }),
  );
  const events = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(EVENT)].map(([, event, warned]) => event ?? warned ?? ''),
  );
  return [...new Set(events)].sort();
}

describe('the table of log events in docs/operations.md', () => {
  it('has a row for every event that a process logs', () => {
    const table = readPage('docs/operations.md').split('## Log lines\n')[1]?.split('\n## ')[0] ?? '';
    const named = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, event = '']) => event),
    );
    expect(loggedEvents().filter((event) => !named.includes(event))).to.deep.equal([]);
  });
});
