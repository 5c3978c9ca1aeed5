import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROOT } from './support.ts';

interface Piece {
  readonly kind: 'comment' | 'doc' | 'text' | 'title';
  readonly line: number;
  readonly text: string;
  readonly sentences?: boolean;
}
interface Miss {
  readonly line: number;
  readonly rule: string;
  readonly name: string;
}
interface File {
  readonly path: string;
  readonly pieces: readonly Piece[];
}
interface Excess {
  readonly folder: string;
  readonly kind: string;
  readonly now: number;
  readonly allowed: number;
}
type Folders = ReadonlyMap<string, unknown>;
interface Check {
  proseOf(path: string, source: string): Piece[];
  survey(root: string): File[];
  missesIn(piece: Piece, options?: { hints: boolean }): Miss[];
  sentenceLengths(piece: Piece): number[];
  figuresByFolder(files: readonly File[]): Folders;
  baselineOf(folders: Folders): unknown;
  worse(folders: Folders, baseline: unknown): Excess[];
  slowerPages(folders: Folders, baseline: unknown): { now: number; allowed: number } | undefined;
  moreInTotal(folders: Folders, baseline: unknown): { kind: string }[];
}

const MODULES = ['survey', 'misses', 'figures', 'baseline'];

describe('plain English', () => {
  let check: Check;
  before(async () => {
    const urls = MODULES.map(
      (name) => new URL(`../../scripts/lib/plain-english/${name}.mjs`, import.meta.url),
    );
    const modules = await Promise.all(urls.map(({ href }) => import(href)));
    check = Object.assign({}, ...modules);
  });

  it('the misses of each folder stay within scripts/plain-english-baseline.json', () => {
    const folders = check.figuresByFolder(check.survey(ROOT));
    const baseline = JSON.parse(readFileSync(`${ROOT}scripts/plain-english-baseline.json`, 'utf8'));
    const advice = 'run `npm run plain-english` for the lines';
    expect(check.worse(folders, baseline), advice).to.deep.equal([]);
    expect(check.slowerPages(folders, baseline), advice).to.equal(undefined);
  });

  it('finds a word to avoid on its line, also across a line break', () => {
    const source = ['const a = 1;', '/**', ' * Stops by', ' * itself.', ' * Read anew.', ' */', ''].join(
      '\n',
    );
    expect(found('packages/a/src/a.ts', source)).to.deep.equal(['3 word by itself', '5 word anew']);
    expect(found('packages/a/src/a.ts', 'let a;\n// Stops by\n// itself.\n')).to.deep.equal([
      '2 word by itself',
    ]);
  });

  it('finds a comment that opens with a fragment, and a fragment on a later line', () => {
    const source =
      '// Of an idle connection.\nlet a;\n// Closes it.\n// So many are kept.\nlet b; // As cached.\n// biome-ignore lint/a/b: What it is.\n';
    expect(found('packages/a/src/a.ts', source)).to.deep.equal([
      '1 fragment Of',
      '4 fragment So many',
      '5 fragment As',
      '6 fragment What',
    ]);
  });

  it('finds words to avoid in the texts of a page and in the text of an error', () => {
    const page = 'export const A = () => (\n  <p title="Load it anew">\n    Whoever has it.\n  </p>\n);\n';
    const error = "throw new Error(`This was told of\n it`);\nfail('read it ' + 'anew again');\n";
    expect(found('services/dashboard/src/a.tsx', page)).to.deep.equal(['2 word anew', '3 word whoever']);
    expect(found('packages/a/src/a.ts', error)).to.deep.equal(['1 word told of', '3 word anew']);
  });

  it('finds words to avoid in the titles of a test, and reads no other string of it', () => {
    const source =
      "describe.skip('whoever', () => {\n  it(`reads it anew`, () => f('somebody else'));\n});\n";
    expect(found('test/a.test.ts', source)).to.deep.equal(['1 word whoever', '2 word anew']);
  });

  it('finds words to avoid in a page, but not in its code, addresses and HTML comments', () => {
    const page = [
      '# Whoever reads',
      '',
      'Run `anew` or [this](https://example.com/anew).',
      '',
      '```sh',
      'anew # anew',
      '```',
      '<!-- anew -->',
      '| a | somebody |',
      '',
      '- at',
      '  hand',
    ].join('\n');
    expect(found('docs/a.md', page)).to.deep.equal(['1 word whoever', '9 word somebody', '11 word at hand']);
  });

  it('reads the comments of YAML, CSS and Lua, and those of a Lua script in TypeScript', () => {
    const script = 'export const S = `\n-- Read anew.\nreturn redis.call("GET", KEYS[1])\n`;\n';
    expect(found('deploy/a.yaml', 'a: anew # anew\n# Of it.\n')).to.deep.equal(['2 fragment Of']);
    expect(found('services/a/src/a.css', 'a {}\n/* Read anew. */\n')).to.deep.equal(['2 word anew']);
    expect(found('bench/a.lua', 'local a\n-- Read anew.\n')).to.deep.equal(['2 word anew']);
    expect(found('packages/a/src/a.ts', script)).to.deep.equal(['2 word anew']);
  });

  it('lists fragments inside a line and doubtful words as hints, which count for nothing', () => {
    const source = '// It waits. As it says, what is kept is read.\n';
    const [comment] = check.proseOf('packages/a/src/a.ts', source);
    const hints = check.missesIn(comment as Piece, { hints: true });
    expect(hints.map(({ rule, name }) => `${rule} ${name}`)).to.have.members([
      'hint fragment',
      'hint say',
      'hint what is X is',
    ]);
    expect(found('packages/a/src/a.ts', source)).to.deep.equal([]);
  });

  it('passes identifiers, single-word strings, code in comments, links and directives', () => {
    const source = [
      'const whoever = anew.somebody("whoever");',
      '// The `anew` flag, see https://example.com/anew and {@link anew}.',
      '// biome-ignore lint/a/b: The type is wrong.',
      '/** A retired secret is recognised for 30 days, so the log can explain the 401. */',
      'const pattern = /whoever anew/;',
    ].join('\n');
    expect(found('packages/a/src/a.ts', source)).to.deep.equal([]);
  });

  it('passes ordinary uses: no more than, as soon as it is, so long as, for good reason, $nor', () => {
    const source =
      '// Sends no more than 5, as soon as it is read, so long as it can, for good reason. $nor is one.\n';
    expect(found('packages/a/src/a.ts', source)).to.deep.equal([]);
  });

  it('measures the sentences of paragraphs and lists in words, and lists those over 25 as hints', () => {
    const long = `${'word '.repeat(26).trim()}.`;
    const page = `# A heading\n\nOne two\nthree. Four \`five six\` seven.\n\n| a | cell |\n\n- ${long}\n`;
    const pieces = check.proseOf('docs/a.md', page).filter(({ sentences }) => sentences);
    expect(pieces.flatMap((piece) => check.sentenceLengths(piece))).to.deep.equal([3, 3, 26]);
    const hints = pieces.flatMap((piece) => check.missesIn(piece, { hints: true }));
    expect(hints.map(({ line, rule, name }) => `${line} ${rule} ${name}`)).to.deep.equal(['8 hint 26 words']);
  });

  it('names the folder and the kind that got worse, and passes one that got better', () => {
    const before = tree({ 'packages/a/src/a.ts': '// Read anew.\n', 'packages/b/src/b.ts': '// Of it.\n' });
    const baseline = check.baselineOf(before);
    const after = tree({ 'packages/a/src/a.ts': '// Read anew.\n// Of it.\n', 'packages/b/src/b.ts': '' });
    expect(check.worse(before, baseline)).to.deep.equal([]);
    expect(check.worse(after, baseline)).to.deep.equal([
      { folder: 'packages/a', kind: 'fragment', now: 1, allowed: 0 },
    ]);
  });

  it('lets a file move to another folder, as the sum stays, and no new miss', () => {
    const baseline = check.baselineOf(tree({ 'packages/a/src/a.ts': '// Read anew.\n' }));
    const moved = tree({ 'tools/a/src/a.ts': '// Read anew.\n' });
    const added = tree({ 'tools/a/src/a.ts': '// Read anew, by itself.\n' });
    expect(check.worse(moved, baseline).map(({ folder }) => folder)).to.deep.equal(['tools/a']);
    expect(check.moreInTotal(moved, baseline)).to.deep.equal([]);
    expect(check.moreInTotal(added, baseline).map(({ kind }) => kind)).to.deep.equal(['comment']);
  });

  it('lets the median sentence of the pages rise to 18 words, and no further', () => {
    const page = (words: number) => tree({ 'docs/a.md': `${'word '.repeat(words).trim()}.\n` });
    const baseline = check.baselineOf(page(10));
    expect(check.slowerPages(page(18), baseline)).to.equal(undefined);
    expect(check.slowerPages(page(19), baseline)).to.deep.equal({ now: 19, allowed: 18 });
  });

  function found(path: string, source: string): string[] {
    const misses = check.proseOf(path, source).flatMap((piece) => check.missesIn(piece));
    return misses.map(({ line, rule, name }) => `${line} ${rule} ${name}`);
  }

  function tree(files: Record<string, string>): Folders {
    const read = ([path, source]: [string, string]) => ({ path, pieces: check.proseOf(path, source) });
    return check.figuresByFolder(Object.entries(files).map(read));
  }
});
