import { itWithPromtool, promtool, RULE_TESTS } from './support/promtool.ts';

/** A separate file, because it needs 20 s of CPU. */
describe('each alert', function () {
  this.timeout(240_000);
  itWithPromtool('fires when it should, only then, and ends with its cause', () =>
    promtool(['test', 'rules', ...RULE_TESTS]),
  );
});
