import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/**
 * What `npm test` leaves to `npm test -- --ci`: the single pages of the dashboard, faults beside those of smoke.test.ts, and
 * what needs an installation or seconds of CPU time and proves no guarantee.
 */
const CI = [
  'test/api/costly-inputs.test.ts',
  'test/browser/!(first-green-row).test.ts',
  'test/cases/every-case.test.ts',
  'test/cli/{completion,killed-change,listen,proxy,reply-fence,webhook-messages}.test.ts',
  'test/dashboard/{samples,verify-samples}.test.ts',
  'test/docs/signing-samples.test.ts',
  'test/embedded-mongodb/{cursors,main}.test.ts',
  'test/faults/!(smoke).test.ts',
  'test/ingress/first-look.test.ts',
  'test/integrations/{n8n-actions,n8n-nodes,n8n-package,n8n-trigger-node,zapier-app,zapier-hook}.test.ts',
  'test/operations/{dispatcher-traces,kubernetes-starts,unknown-secret-key}.test.ts',
  'test/pipeline/{restore,secret-key-rotation,upgrade,wait-for-the-result}.test.ts',
  'test/redis/redis-permissions.test.ts',
  'test/scale/!(redis-cluster|set-shards).test.ts',
  'test/sdk/types-up-to-date.test.ts',
  'test/worker/large-events.test.ts',
];

/**
 * Details of single pages. Each visit costs 0.7 s of CPU time, and these prove no guarantee: layout, focus, messages, late
 * responses. What a page is for is proven by the file with its name.
 */
const DETAILS_OF_PAGES = [
  ...[
    'api-reference',
    'bursts',
    'changing-records',
    'choose-in-charts',
    'compare-deliveries',
    'copy-buttons',
  ],
  ...['delete-channel', 'dialogs-again', 'environment', 'event-history', 'events-elsewhere', 'failed-pages'],
  ...['focus-after-delete', 'import-another-file', 'integrations', 'late-code', 'offline', 'phone'],
  ...['shareable-urls', 'slow-deletions', 'toasts', 'unsaved-forms', 'webhook-needs', 'wide-tables'],
].map((name) => `test/browser/${name}.test.ts`);

/** What `npm test -- --ci` leaves to `npm test -- --nightly`: what waits, measures time or memory, or installs much. */
const NIGHTLY = [
  'test/api/public/schemathesis.test.ts',
  'test/browser/broken-parts.test.ts',
  ...DETAILS_OF_PAGES,
  'test/cli/listen-killed.test.ts',
  'test/dispatcher/published-verifiers.test.ts',
  // Faults of tools for development.
  'test/embedded-mongodb/journal/killed-process.test.ts',
  'test/launcher/start-killed.test.ts',
  'test/faults/{many-subscriptions,slow-store}.test.ts',
  'test/integrations/zapier-requests.test.ts',
  'test/operations/{alerts-by-promtool,alerts-played,kubernetes-versions}.test.ts',
  'test/redis/fast-strings.test.ts',
  'test/sdk/{package,python-client}.test.ts',
];

/** What other commands run: `npm run test:platforms` and `npm run test:compose`. */
const OTHER_COMMANDS = [
  'test/platforms/**/*.test.ts',
  'test/compose/containers/**/*.test.ts',
  'test/compose/outside.test.ts',
];

/** The tests that depend on the database engine. `npm test -- --nightly` runs them again on a second one. */
export const ENGINE_TESTS = ['test/store/**/*.test.ts', 'test/pipeline/**/*.test.ts'];

/**
 * The tests of the ingress whose requests show how it reads HTTP. `npm test -- --ci` runs them again with Node's HTTP server
 * alone as the reader. Other files there try both.
 */
export const READER_TESTS = [
  'accepts',
  'bodies-rejected-early',
  'early-refusals',
  'http',
  'many-header-lines',
  'refusals',
  'refusals-by-signature',
  'slow-bodies',
].map((name) => `test/ingress/${name}.test.ts`);

/** The folders with the longest files. mocha starts files in the given order, and the longest must not be the last. */
const FIRST = ['faults', 'scale', 'pipeline', 'browser', 'launcher', 'cli', 'operations'];

/** The arguments of mocha for a set of tests: `ci`, `nightly`, or neither. */
export function testsOf({ ci, nightly }) {
  // The processes and the browser of its files run until their worker ends. `npm test` has one such file.
  const last = ci || nightly ? [] : ['browser'];
  const hasTests = (folder) =>
    readdirSync(join(ROOT, 'test', folder), { recursive: true }).some((name) => name.endsWith('.test.ts'));
  const others = readdirSync(join(ROOT, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !FIRST.includes(entry.name) && hasTests(entry.name))
    .map(({ name }) => name);
  const folders = [...FIRST.filter((name) => !last.includes(name)), ...others, ...last];
  const omitted = [...OTHER_COMMANDS, ...(nightly ? [] : NIGHTLY), ...(ci || nightly ? [] : CI)];
  return [
    ...folders.map((folder) => `test/${folder}/**/*.test.ts`),
    ...omitted.flatMap((pattern) => ['--ignore', pattern]),
  ];
}
