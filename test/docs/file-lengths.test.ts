import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './support.ts';

interface File {
  readonly path: string;
  readonly lines: number;
}
interface Check {
  readonly MEASURED: readonly string[];
  fileLengths(root: string): File[];
  tooLong(files: readonly File[]): File[];
  lengthTable(files: readonly File[]): string[];
}

const MODULE = new URL('../../scripts/lib/file-lengths.mjs', import.meta.url).href;

describe('file lengths', () => {
  let check: Check;
  let root: string;
  before(async () => {
    check = await import(MODULE);
  });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'file-lengths-'));
    for (const folder of check.MEASURED) mkdirSync(join(root, folder));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('no TypeScript file of this repository has over 250 lines', () => {
    const files = check.fileLengths(ROOT);
    expect(files.length).to.be.above(1000);
    expect(check.tooLong(files)).to.deep.equal([]);
  });

  it('names each file of over 250 lines, in every measured folder, the longest first', () => {
    for (const [index, folder] of check.MEASURED.entries()) write(`${folder}/src/a.ts`, 251 + index);
    write('services/a/page.tsx', 300);
    const paths = check.MEASURED.map((folder) => `${folder}/src/a.ts`);
    expect(check.tooLong(check.fileLengths(root)).map(({ path }) => path)).to.deep.equal([
      'services/a/page.tsx',
      ...paths.reverse(),
    ]);
  });

  it('passes 250 lines, other languages, and what is built or installed', () => {
    write('packages/a.ts', 250);
    write('packages/a.md', 300);
    write('packages/dist/a.ts', 300);
    write('packages/node_modules/a/a.ts', 300);
    expect(check.tooLong(check.fileLengths(root))).to.deep.equal([]);
  });

  it('counts a last line without a line end', () => {
    write('test/a.ts', 250);
    writeFileSync(join(root, 'test/b.ts'), `${'\n'.repeat(250)}//`);
    expect(check.tooLong(check.fileLengths(root))).to.deep.equal([{ path: 'test/b.ts', lines: 251 }]);
  });

  it('prints the number of files, the median and the longest file of each folder', () => {
    write('packages/a.ts', 10);
    write('packages/b.ts', 30);
    write('bench/c.ts', 20);
    expect(check.lengthTable(check.fileLengths(root))).to.deep.equal([
      '3 TypeScript files, median 20 lines, at most 250. The longest:',
      '   30 packages/b.ts',
      '   20 bench/c.ts',
    ]);
  });

  function write(path: string, lines: number): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '//\n'.repeat(lines));
  }
});
