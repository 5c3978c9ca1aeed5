import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/**
 * What `npm test` leaves to `npm test -- --ci`: the single pages of the dashboard, the single commands of the command
 * line, and tests that are slow and prove no guarantee.
 */
const CI = [
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

/** What `npm test -- --ci` leaves to `npm test -- --nightly`. */
const NIGHTLY = [];

/** What other commands run: `npm run test:platforms`, `npm run test:compose`, and the tests on DocumentDB below. */
const OTHER_COMMANDS = [
  'test/platforms/**/*.test.ts',
  'test/compose/containers/**/*.test.ts',
  'test/compose/outside.test.ts',
  'test/faults/documentdb-*.test.ts',
];

/** The tests that depend on the database engine. `npm test -- --nightly` runs them again on a second one. */
export const ENGINE_TESTS = [
  'test/store/**/*.test.ts',
  'test/pipeline/**/*.test.ts',
  'test/faults/documentdb-*.test.ts',
];

/** The tests of the ingress that send requests. They run again with Node's HTTP server alone as the reader. */
export const READER_TESTS = [
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
].map((name) => `test/ingress/${name}.test.ts`);

/** The folders with the longest files. mocha starts files in the given order, and the longest must not be the last. */
const FIRST = ['faults', 'scale', 'pipeline', 'browser', 'launcher', 'cli', 'operations'];

/** The arguments of mocha for a set of tests: `ci`, `nightly`, or neither. */
export function testsOf({ ci, nightly }) {
  const hasTests = (folder) =>
    readdirSync(join(ROOT, 'test', folder), { recursive: true }).some((name) => name.endsWith('.test.ts'));
  const folders = readdirSync(join(ROOT, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !FIRST.includes(entry.name) && hasTests(entry.name))
    .map(({ name }) => name);
  const omitted = [...OTHER_COMMANDS, ...(nightly ? [] : NIGHTLY), ...(ci || nightly ? [] : CI)];
  return [
    ...[...FIRST, ...folders].map((folder) => `test/${folder}/**/*.test.ts`),
    ...omitted.flatMap((pattern) => ['--ignore', pattern]),
  ];
}
