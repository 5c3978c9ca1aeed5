export const ALL_TESTS = 'test/**/*.test.ts';
/** The tests of one engine alone, which is at hand for sure only where the tests on it run. */
const DOCUMENTDB_TESTS = 'test/faults/documentdb-*.test.ts';
/** The tests that depend on the database engine: they run once more on a second one where it is at hand. */
export const ENGINE_TESTS = ['test/store/**/*.test.ts', 'test/pipeline/**/*.test.ts', DOCUMENTDB_TESTS];

/** Folders of tests that run in a process of their own, in the order in which they are begun: what takes longest first. */
const LONG = [['browser'], ['faults']];
const SHORT = [['cli', 'compose', 'launcher'], ['pipeline'], ['scale'], ['worker', 'ingress']];

const patterns = (folders) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

const section = (folders) => ({
  name: folders.join(' and '),
  args: [...patterns(folders), '--ignore', DOCUMENTDB_TESTS],
});

const REST = {
  name: 'the rest',
  args: [ALL_TESTS, ...patterns([...LONG, ...SHORT].flat()).flatMap((pattern) => ['--ignore', pattern])],
};

/** How all tests are divided, for running side by side: names, and arguments of mocha that say which tests are meant. */
export const SECTIONS = [...LONG.map(section), REST, ...SHORT.map(section)];
