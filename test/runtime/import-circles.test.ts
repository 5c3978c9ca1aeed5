import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url).pathname;
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

type Arrow = readonly [from: string, to: string];

const WORKSPACES = ['packages', 'services', 'tools'].flatMap((group) =>
  readdirSync(join(ROOT, group))
    .map((name) => `${group}/${name}`)
    .filter((workspace) => existsSync(join(ROOT, workspace, 'src'))),
);

/** The imports of one file of a workspace by another, with their paths below `src`. Imports of types count too. */
function arrowsOf(workspace: string): readonly Arrow[] {
  const src = join(ROOT, workspace, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const own = `@sluice/${workspace.split('/')[1]}/`;
  return files.flatMap((file) => {
    const froms = [...readFileSync(join(src, file), 'utf8').matchAll(IMPORT)].map(([, from = '']) => from);
    return froms.flatMap((from): Arrow[] => {
      if (from.startsWith('.')) return [[file, join(dirname(file), from)]];
      return from.startsWith(own) ? [[file, `${from.slice(own.length)}.ts`]] : [];
    });
  });
}

/** A room is a folder of `src`, or a file that lies directly in it. */
function roomOf(file: string): string {
  return file.split('/')[0] as string;
}

/** Each folder of pages of the dashboard is a room too. */
function pageOf(file: string): string {
  return file.startsWith('pages/') ? file.split('/').slice(0, 2).join('/') : roomOf(file);
}

/** The arrows that lie on a circle, after each file is replaced by its part of the workspace. */
function onCircles(arrows: readonly Arrow[], partOf: (file: string) => string): readonly string[] {
  const parts = arrows
    .map(([from, to]): Arrow => [partOf(from), partOf(to)])
    .filter(([from, to]) => from !== to);
  const next = new Map<string, Set<string>>();
  for (const [from, to] of parts) next.set(from, (next.get(from) ?? new Set()).add(to));
  return arrows
    .filter(([from, to]) => partOf(from) !== partOf(to) && reaches(next, partOf(to), partOf(from)))
    .map(([from, to]) => `${from} -> ${to}`);
}

function reaches(next: ReadonlyMap<string, ReadonlySet<string>>, start: string, goal: string): boolean {
  const seen = new Set([start]);
  for (const part of seen) for (const to of next.get(part) ?? []) seen.add(to);
  return seen.has(goal);
}

describe('import circles', () => {
  for (const workspace of WORKSPACES) {
    const arrows = arrowsOf(workspace);

    it(`${workspace}: files form none`, () => {
      expect(onCircles(arrows, (file) => file)).to.deep.equal([]);
    });

    it(`${workspace}: rooms form none, so no room imports upward`, () => {
      expect(onCircles(arrows, roomOf)).to.deep.equal([]);
      expect(onCircles(arrows, pageOf)).to.deep.equal([]);
    });
  }

  it('the stages of the ingress import earlier stages only', () => {
    const stages = ['receive', 'verify', 'admit', 'enqueue'];
    const upward = arrowsOf('services/ingress').filter(
      ([from, to]) =>
        stages.includes(roomOf(from)) && stages.indexOf(roomOf(to)) > stages.indexOf(roomOf(from)),
    );
    expect(upward).to.deep.equal([]);
  });
});
