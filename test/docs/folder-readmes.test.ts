import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT, readPage } from './support.ts';

const foldersIn = (group: string): readonly string[] =>
  readdirSync(ROOT + group, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${group}/${name}`);

/** A folder that was moved may leave its `dist` behind. */
const workspaces = ['packages', 'services', 'tools']
  .flatMap(foldersIn)
  .filter((path) => existsSync(`${ROOT}${path}/package.json`));
const testFolders = foldersIn('test');
const otherFolders = ['bench', 'deploy', 'scripts', 'test', ...foldersIn('deploy')];
const folders = [...workspaces, ...testFolders, ...otherFolders];

/** The paths between backticks on the line that begins with this word. */
function pathsAfter(word: string, readme: string): readonly string[] {
  const [line = ''] = readme.match(new RegExp(`^${word}: .*$`, 'm')) ?? [];
  return [...line.matchAll(/`([\w./-]+)`/g)].map(([, path]) => path as string);
}

describe('the README of a folder', () => {
  it('exists for every package, service, tool, and folder of tests', () => {
    expect(folders.filter((folder) => !existsSync(`${ROOT}${folder}/README.md`))).to.deep.equal([]);
  });

  it('links only to what exists', () => {
    const links = folders.flatMap((folder) =>
      [...readPage(`${folder}/README.md`).matchAll(/\]\(([^)#\s]+)/g)]
        .filter(([, link = '']) => !/^https?:/.test(link))
        .map(([, link = '']) => join(folder, link)),
    );
    expect(links.filter((path) => !existsSync(ROOT + path))).to.deep.equal([]);
  });

  for (const folder of testFolders) {
    it(`${folder}/README.md names the code that it covers, in at most seven lines`, () => {
      const readme = readPage(`${folder}/README.md`);
      const covered = pathsAfter('Covers', readme);
      expect(covered).to.not.deep.equal([]);
      expect(covered.filter((path) => !existsSync(ROOT + path))).to.deep.equal([]);
      expect(readme.trimEnd().split('\n').length).to.be.at.most(7);
    });
  }

  for (const workspace of workspaces) {
    it(`${workspace} has tests, and its README names only folders of tests that cover it`, () => {
      const covering = testFolders.filter((folder) =>
        pathsAfter('Covers', readPage(`${folder}/README.md`)).includes(workspace),
      );
      expect(covering).to.not.deep.equal([]);
      const named = pathsAfter('Tests', readPage(`${workspace}/README.md`));
      expect(named.filter((path) => path.startsWith('test/') && !covering.includes(path))).to.deep.equal([]);
    });
  }
});
