import { expect } from 'chai';

interface Failure {
  readonly title: string;
  readonly text: string;
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

  it('counts a test that passes alone as passed, and reports it', async () => {
    const results = [failedIn('test/browser/a.test.ts'), failedIn('test/api/b.test.ts')];
    const tried = await secondTry(results, runs({ 'test/browser/a.test.ts': 0, 'test/api/b.test.ts': 1 }));
    expect(tried.results.map(({ passed, failed }) => [passed, failed])).to.deep.equal([
      [11, 0],
      [10, 1],
    ]);
    expect(tried.unstable.map(({ file }) => file)).to.deep.equal(['test/browser/a.test.ts']);
    expect(tried.results[1]?.failures).to.deep.equal(results[1]?.failures);
  });

  it('retries a single 503 in test/faults too, if nothing else failed there', async () => {
    const file = 'test/faults/floods.test.ts';
    const refused = failedIn(file, 'AssertionError: {"status":503}: expected 503 to equal 200');
    const tried = await secondTry([refused], runs({ [file]: 0 }));
    expect(tried.results.map(({ failed }) => failed)).to.deep.equal([0]);
    expect(tried.unstable).to.deep.equal(refused.failures);
    const beside = [refused, failedIn(file, 'AssertionError: lost: expected 1 to equal 0')];
    expect((await secondTry(beside, () => expect.fail('ran again'))).unstable).to.deep.equal([]);
  });

  it('retries one late response beside a flood, and no loss there', async () => {
    const file = 'test/faults/floods-of-pipelines.test.ts';
    const late = failedIn(file, 'AssertionError: expected 244.61326099999133 to be below 147.112189');
    const tried = await secondTry([late], runs({ [file]: 0 }));
    expect(tried.results.map(({ failed }) => failed)).to.deep.equal([0]);
    const lost = failedIn(file, 'AssertionError: the flood is answered: expected 0 to be above 0');
    expect((await secondTry([lost], () => expect.fail('ran again'))).unstable).to.deep.equal([]);
  });

  for (const [what, files] of Object.entries({
    'a loss seen in test/faults': ['test/faults/kills.test.ts'],
    'a loss seen in test/pipeline, whatever else failed': [
      'test/api/b.test.ts',
      'test/pipeline/order.test.ts',
    ],
    'a process that does not end': [undefined],
    'failures in five files': ['a', 'b', 'c', 'd', 'e'].map((name) => `test/api/${name}.test.ts`),
  })) {
    it(`${what} is final`, async () => {
      const results = files.map((file) => failedIn(file));
      const tried = await secondTry(results, () => expect.fail('ran again'));
      expect(tried).to.deep.equal({ results, unstable: [] });
    });
  }
});

function failedIn(file: string | undefined, text = ''): Result {
  const failure = { title: `${file}: fails`, text, ...(file !== undefined && { file }) };
  return { passed: 10, failed: 1, failures: [failure] };
}

function runs(failed: Record<string, number>): (file: string) => Promise<Result> {
  return async (file) => ({ passed: 1, failed: failed[file] as number, failures: [] });
}
