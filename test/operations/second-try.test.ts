import { expect } from 'chai';

interface Failure {
  readonly title: string;
  readonly file?: string;
}
interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
}
type SecondTry = (
  results: readonly Result[],
  runFile: (file: string) => Promise<Result>,
) => Promise<{ results: Result[]; unstable: Failure[] }>;

const MODULE = new URL('../../scripts/lib/second-try.mjs', import.meta.url).href;

describe('operations: the second try of a failed test', () => {
  let secondTry: SecondTry;
  before(async () => {
    secondTry = (await import(MODULE)).secondTry;
  });

  it('what passes by itself counts as passed and is told of', async () => {
    const results = [failedIn('test/browser/a.test.ts'), failedIn('test/api/b.test.ts')];
    const tried = await secondTry(results, runs({ 'test/browser/a.test.ts': 0, 'test/api/b.test.ts': 1 }));
    expect(tried.results.map(({ passed, failed }) => [passed, failed])).to.deep.equal([
      [11, 0],
      [10, 1],
    ]);
    expect(tried.unstable.map(({ file }) => file)).to.deep.equal(['test/browser/a.test.ts']);
    expect(tried.results[1]?.failures).to.deep.equal(results[1]?.failures);
  });

  for (const [what, files] of Object.entries({
    'a loss seen in test/faults': ['test/faults/kills.test.ts'],
    'a loss seen in test/pipeline, whatever else failed': [
      'test/api/b.test.ts',
      'test/pipeline/order.test.ts',
    ],
    'a process that does not end': [undefined],
    'failures in three files': ['test/api/a.test.ts', 'test/api/b.test.ts', 'test/api/c.test.ts'],
  })) {
    it(`${what} is final`, async () => {
      const results = files.map(failedIn);
      const tried = await secondTry(results, () => expect.fail('ran again'));
      expect(tried).to.deep.equal({ results, unstable: [] });
    });
  }
});

function failedIn(file: string | undefined): Result {
  const failure = { title: `${file}: fails`, ...(file !== undefined && { file }) };
  return { passed: 10, failed: 1, failures: [failure] };
}

function runs(failed: Record<string, number>): (file: string) => Promise<Result> {
  return async (file) => ({ passed: 1, failed: failed[file] as number, failures: [] });
}
