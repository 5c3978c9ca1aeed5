import { expect } from 'chai';

const FOLDER = new URL('../../integrations/n8n-nodes-sluice/', import.meta.url);

interface Spent {
  readonly tries: number;
  readonly inProgressSeconds: number;
}

describe('integrations: how long a node of n8n waits before it tries again', () => {
  let wait: (
    statusCode: number,
    retryAfter: string | undefined,
    spent?: Partial<Spent>,
  ) => number | undefined;
  before(async () => {
    const { secondsToWait } = await import(new URL('shared/seconds-to-wait.ts', FOLDER).href);
    wait = (statusCode, retryAfter, spent = {}) =>
      secondsToWait(
        { statusCode, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, body: {} },
        { tries: 1, inProgressSeconds: 0, ...spent },
      );
  });

  it('is as long as the API asks for at 429 and 503, at most four times and a minute each', () => {
    expect(wait(429, '7')).to.equal(7);
    expect(wait(503, undefined)).to.equal(1);
    expect(wait(429, '1', { tries: 4 })).to.equal(undefined);
    expect(wait(429, '61')).to.equal(undefined);
    expect(wait(429, 'soon')).to.equal(undefined);
  });

  it('outlasts a first try whose process died, and ends then', () => {
    expect(wait(409, '1', { tries: 4, inProgressSeconds: 30 })).to.equal(1);
    expect(wait(409, '0', { inProgressSeconds: 34 })).to.equal(1);
    expect(wait(409, '1', { inProgressSeconds: 35 })).to.equal(undefined);
  });

  it('is nothing at a 409 that is final, and at other responses', () => {
    expect(wait(409, undefined)).to.equal(undefined);
    for (const status of [200, 400, 404, 500]) expect(wait(status, '1')).to.equal(undefined);
  });
});
