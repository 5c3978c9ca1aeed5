export const ALL_TESTS = 'test/**/*.test.ts';
/** `npm run test:platforms` runs these, because they install the platforms. */
const PLATFORM_TESTS = 'test/platforms/**/*.test.ts';
/** `npm run test:compose` runs these, because they need a container engine and images. */
const CONTAINER_TESTS = ['test/compose/containers/**/*.test.ts', 'test/compose/outside.test.ts'];
/** The tests that need DocumentDB, which runs only during the tests on it. */
const DOCUMENTDB_TESTS = 'test/faults/documentdb-*.test.ts';
/** The tests that depend on the database engine. They run again on a second one if it is available. */
export const ENGINE_TESTS = ['test/store/**/*.test.ts', 'test/pipeline/**/*.test.ts', DOCUMENTDB_TESTS];

const folder = (name) => `test/${name}/**/*.test.ts`;
const section = (...folders) => ({ name: folders.join(' and '), patterns: folders.map(folder) });
const ignoring = (patterns) => patterns.flatMap((pattern) => ['--ignore', pattern]);
/** What `npm test` never runs without the name of the file. */
export const WITHOUT_OTHER_COMMANDS = ignoring([PLATFORM_TESTS, ...CONTAINER_TESTS]);

/** The tests of the ingress run once more with Node's HTTP server alone as reader. Only those that send requests differ. */
const READ_BY_NODE = {
  name: 'ingress, read by Node',
  args: [
    'accepts',
    'bad-signatures',
    'bodies-rejected-early',
    'early-refusals',
    'http',
    'kept-bodies',
    'many-header-lines',
    'proxy-ignored',
    'rate-headers',
    'refusals',
    'refusals-by-signature',
    'refusals-of-signed',
    'same-request',
    'slow-bodies',
  ].map((name) => `test/ingress/${name}.test.ts`),
  env: { INGRESS_HTTP_READER: 'node' },
};

/** Sections that each run in a separate process, in the order of their start: the longest first. */
const LONG = [
  { name: 'browser, a to e', patterns: ['test/browser/[a-e]*.test.ts'] },
  { name: 'browser, the others', patterns: ['test/browser/[!a-e]*.test.ts'] },
  section('faults'),
];
const SHORT = [
  section('cli', 'cases', 'compose', 'launcher'),
  section('worker', 'queue', 'ingress', 'dispatcher'),
  section('pipeline'),
  section('scale'),
];

/**
 * Tests that wait for most of their time. `npm test -- --all` runs them beside the other sections, as they need little of a
 * core. The end of a run shows which files wait: they have little CPU time.
 */
const WAITING_TESTS = [
  // Mocha expands no braces in a pattern that has nothing else to expand.
  'test/api/source-mail.test.ts',
  'test/api/subscription-mail.test.ts',
  'test/cli/listen-killed.test.ts',
  'test/ingress/bad-signatures-over-a-minute.test.ts',
];

/**
 * Tests that only `npm test -- --all` runs, so that `npm test` takes minutes: the single pages and routes of the dashboard,
 * the single commands of the command line, and the slowest others that prove no guarantee.
 */
const LEFT_TO_ALL = [
  'test/browser/!(first-green-row).test.ts',
  'test/cli/!(send|send-nothing|usage).test.ts',
  'test/api/{audited-writes,every-route,revoked-means-revoked}.test.ts',
  'test/api/public/schemathesis.test.ts',
  'test/embedded-mongodb/{cursors,journal/killed-process}.test.ts',
  'test/ingress/bad-signatures-over-a-minute.test.ts',
  'test/dispatcher/published-verifiers.test.ts',
  'test/docs/signing-samples.test.ts',
  'test/integrations/{n8n-package,zapier-app}.test.ts',
  'test/launcher/start-killed.test.ts',
  'test/operations/{alerts-played,kubernetes-versions}.test.ts',
  'test/sdk/{package,python-client,types-up-to-date}.test.ts',
];

/** The division of tests into concurrent sections: names, and the arguments of mocha that select the tests. */
function divided(long, short, leftOut) {
  const withArgs = ({ name, patterns }) => ({
    name,
    args: [...patterns, ...WITHOUT_OTHER_COMMANDS, ...ignoring([DOCUMENTDB_TESTS, ...leftOut])],
  });
  const elsewhere = [...long, ...short].flatMap(({ patterns }) => patterns);
  const rest = {
    name: 'the rest',
    args: [ALL_TESTS, ...WITHOUT_OTHER_COMMANDS, ...ignoring([...elsewhere, ...leftOut])],
  };
  return [...long.map(withArgs), rest, ...short.map(withArgs)];
}

/** The sections of `npm test -- --all`. */
export const ALL_SECTIONS = [...divided(LONG, SHORT, WAITING_TESTS), READ_BY_NODE];

/** Runs beside them. */
export const WAITING_SECTION = { name: 'tests that wait', args: WAITING_TESTS };

/** The sections of `npm test`. */
export const SECTIONS = [
  ...divided(
    [section('faults')],
    [
      section('pipeline'),
      section('worker', 'queue', 'ingress', 'dispatcher'),
      section('scale'),
      section('cli', 'cases', 'compose', 'launcher'),
      section('browser'),
    ],
    LEFT_TO_ALL,
  ),
  READ_BY_NODE,
];
