import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url).pathname;
const HOME = 'packages/contract/src/time/durations.ts';

const sources = ['packages', 'services', 'tools'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => `${group}/${name}/src`),
);

/** The files below these folders whose text matches. */
function filesWith(folders: readonly string[], pattern: RegExp): readonly string[] {
  return folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
        .map((file) => join(folder, file)),
    )
    .filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')));
}

/** They know nothing of Sluice, or import nothing of it. */
const APART = /^(?:tools\/|packages\/(?:credentials|egress|feeds|machine|sdk|shards|signature)\/)/;

describe('names of time', () => {
  it('the timer of node:timers/promises is sleep everywhere', () => {
    const other = /import \{[^}]*\bsetTimeout\b(?! as sleep\b)[^}]*\} from 'node:timers\/promises'/;
    const named = /import \{[^}]*\bsetTimeout as sleep\b[^}]*\} from 'node:timers\/promises'/;
    expect(filesWith([...sources, 'test', 'bench'], other)).to.deep.equal([]);
    expect(filesWith(sources, named)).to.not.have.length(0);
  });

  it('a second, a minute, an hour and a day are defined once', () => {
    const own = /^(?:export )?const (?:SECOND|MINUTE|HOUR|DAY)(?:_MS|_US|_SECONDS) = /m;
    expect(filesWith(sources, own).filter((file) => !APART.test(file))).to.deep.equal([HOME]);
  });
});
