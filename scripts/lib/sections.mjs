export const ALL_TESTS = 'test/**/*.test.ts';
/** The tests of one engine alone, which is at hand for sure only where the tests on it run. */
const DOCUMENTDB_TESTS = 'test/faults/documentdb-*.test.ts';
/** The tests that depend on the database engine: they run once more on a second one where it is at hand. */
export const ENGINE_TESTS = ['test/store/**/*.test.ts', 'test/pipeline/**/*.test.ts', DOCUMENTDB_TESTS];

const folder = (name) => `test/${name}/**/*.test.ts`;
const section = (...folders) => ({ name: folders.join(' and '), patterns: folders.map(folder) });

/** What runs in a process of its own, in the order in which it is begun: what takes longest first. */
const LONG = [
  { name: 'browser, a to e', patterns: ['test/browser/[a-e]*.test.ts'] },
  { name: 'browser, the others', patterns: ['test/browser/[!a-e]*.test.ts'] },
  section('faults'),
];
const SHORT = [
  section('cli', 'compose', 'launcher'),
  section('pipeline'),
  section('scale'),
  section('worker', 'ingress'),
];

const ignoring = (patterns) => patterns.flatMap((pattern) => ['--ignore', pattern]);
const withArgs = ({ name, patterns }) => ({ name, args: [...patterns, ...ignoring([DOCUMENTDB_TESTS])] });

const REST = {
  name: 'the rest',
  args: [ALL_TESTS, ...ignoring([...LONG, ...SHORT].flatMap(({ patterns }) => patterns))],
};

/** How all tests are divided, for running side by side: names, and arguments of mocha that say which tests are meant. */
export const SECTIONS = [...LONG.map(withArgs), REST, ...SHORT.map(withArgs)];
