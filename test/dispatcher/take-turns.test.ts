import { takeTurns } from '@sluice/dispatcher/turns/take-turns';
import { INITIAL_STATE, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { subscription } from '../outbound/directory/support/use-directory.ts';
import { until } from '../support/until.ts';

const TURNS = 40;

/** A dispatcher with room for 40 turns, and endless subscriptions with something due. */
function start({ mayClaim = (): boolean => true, isClaimHeld = false } = {}) {
  const limits: number[] = [];
  const ends: (() => void)[] = [];
  /** Each lets one claim return. */
  const claims: (() => void)[] = [];
  const turn: Turn = {
    ...{ accountId: 'acc_1', subscription: subscription(), token: 't', leaseUntil: 0 },
    ...{ state: INITIAL_STATE, entries: [] },
  };
  const loop = takeTurns({
    turns: {
      async claim({ limit }) {
        limits.push(limit);
        if (isClaimHeld) await new Promise<void>((resolve) => void claims.push(resolve));
        return Array.from({ length: limit }, () => turn);
      },
      waitForWork: async () => {},
    },
    ...{ shard: 0, blocking: undefined as unknown as Redis, maxTurns: TURNS, mayClaim, onChange: () => {} },
    runTurn: () => new Promise((resolve) => void ends.push(resolve)),
  });
  return { limits, ends, claims, loop };
}

describe('dispatcher: taking turns', () => {
  it('claims with one script what turns that end together have left free', async () => {
    const { limits, ends, loop } = start();
    await until(() => ends.length === TURNS);
    expect(limits).to.deep.equal([TURNS]);
    for (const end of ends.splice(0, 30)) end();
    await until(() => ends.length === TURNS);
    expect(limits).to.deep.equal([TURNS, 30]);
    const stopped = loop.stop();
    for (const end of ends) end();
    await stopped;
  });

  it('claims nothing while its key opens no secret, and goes on once it does', async () => {
    let looks = 0;
    const { limits, ends, loop } = start({ mayClaim: () => ++looks > 2 });
    await until(() => looks === 2);
    expect(limits).to.deep.equal([]);
    await until(() => ends.length === TURNS);
    const stopped = loop.stop();
    for (const end of ends) end();
    await stopped;
  });

  it('runs the turns of a claim that ends soon after the stop has begun, and waits for them', async () => {
    const { limits, ends, claims, loop } = start({ isClaimHeld: true });
    await until(() => claims.length === 1);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    claims[0]?.();
    await until(() => ends.length === TURNS);
    expect(isStopped).to.equal(false);
    for (const end of ends) end();
    await stopped;
    expect(limits).to.deep.equal([TURNS]);
  });

  it('runs no turn of a claim that ends after the stop', async () => {
    const { ends, claims, loop } = start({ isClaimHeld: true });
    await until(() => claims.length === 1);
    await loop.stop();
    claims[0]?.();
    await new Promise(setImmediate);
    expect(ends).to.have.length(0);
  });

  it('claims for a turn that ends alone, while all others go on', async () => {
    const { limits, ends, loop } = start();
    await until(() => ends.length === TURNS);
    ends.shift()?.();
    await until(() => limits.length === 2);
    expect(limits).to.deep.equal([TURNS, 1]);
    const stopped = loop.stop();
    await until(() => ends.length === TURNS);
    for (const end of ends) end();
    await stopped;
  });
});
