import { type ClosedReason, createGate, type GateDeps, type Vitals } from '@sluice/ingress/gate/gate';
import { expect } from 'chai';
import { until } from '../support/until.ts';

const FINE: Vitals = {
  usedMemory: 0,
  maxMemory: 0,
  replicas: 2,
  clockOffMs: 0,
  backlog: { actions: 0, refusals: 0 },
};
const backlog = (actions: number, refusals: number): Partial<Vitals> => ({ backlog: { actions, refusals } });
const answered = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

describe('ingress: the gate', () => {
  const gates: { stop(): void }[] = [];
  afterEach(() => {
    for (const gate of gates.splice(0)) gate.stop();
  });

  /** A gate whose polls have these results, in order, and then the last one again. */
  function open(looks: readonly (Vitals | Error)[], deps: Partial<GateDeps> = {}) {
    const left = [...looks];
    const seen = {
      looks: 0,
      changes: [] as (ClosedReason | null)[],
      backlog: [] as boolean[],
      refusals: [] as boolean[],
      told: [] as string[],
    };
    const gate = createGate({
      redis: { status: 'ready' },
      async readVitals() {
        seen.looks += 1;
        const found = left.length > 1 ? left.shift() : left[0];
        if (found instanceof Error) throw found;
        return found as Vitals;
      },
      backlogLimit: 3,
      memoryLimitPercent: 70,
      replicasWanted: 2,
      onChange: (closed) => seen.changes.push(closed),
      onBacklogChange: (full) => seen.backlog.push(full),
      onRefusalsChange: (full) => seen.refusals.push(full),
      onRefused: ({ message }) => seen.told.push(message),
      ...deps,
    });
    gates.push(gate);
    return { gate, seen };
  }

  for (const [what, vitals, reason] of [
    ['of 70 % of the memory', { usedMemory: 70, maxMemory: 100 }, 'redis_nearly_full'],
    ['of less', { usedMemory: 69, maxMemory: 100 }, null],
    ['of much memory without a limit', { usedMemory: 1e12, maxMemory: 0 }, null],
    ['with a replica too few', { replicas: 1 }, 'too_few_replicas'],
    ['whose clock is a minute off', { clockOffMs: 60_000 }, null],
    ['whose clock is more than a minute off', { clockOffMs: 60_001 }, 'clock'],
    ['with more groups of refusals than the limit', backlog(0, 4), null],
  ] as const)
    it(`is ${reason === null ? 'open' : 'closed'} for a Redis ${what}`, async () => {
      const { gate } = open([{ ...FINE, ...vitals }]);
      await until(() => gate.closed() !== 'starting');
      expect(gate.closed()).to.equal(reason);
      expect(gate.reasons()).to.deep.equal(reason === null ? [] : [reason]);
    });

  it('is open with a full backlog if more groups of actions wait than the limit', async () => {
    for (const [actions, full] of [
      [3, false],
      [4, true],
    ] as const) {
      const { gate } = open([{ ...FINE, ...backlog(actions, 0) }]);
      await until(() => gate.closed() === null);
      expect(gate.backlogFull(), `${actions} groups`).to.equal(full);
    }
  });

  it('knows the backlog of its last poll, also while Redis is away', async () => {
    const { gate } = open([{ ...FINE, ...backlog(2, 5) }, new Error('away')]);
    await until(() => gate.closed() === 'redis_away');
    expect(gate.backlog()).to.equal(2);
    expect(gate.fullness()).to.deep.equal({ actions: 2 / 3, refusals: 5 / 3 });
  });

  it('reports once that the backlog is full, and once that it has room again', async () => {
    const full = { ...FINE, ...backlog(4, 0) };
    const { seen } = open([FINE, full, full, FINE, FINE]);
    await until(() => seen.looks > 5);
    expect(seen.backlog).to.deep.equal([true, false]);
    expect([seen.changes, seen.refusals]).to.deep.equal([[null], []]);
  });

  it('closes as soon as the connection is lost, whatever the last poll found', async () => {
    const redis: { status: GateDeps['redis']['status'] } = { status: 'ready' };
    const { gate } = open([FINE], { redis });
    await until(() => gate.closed() === null);
    redis.status = 'reconnecting';
    expect(gate.closed()).to.equal('redis_away');
    gate.drain();
    expect(gate.closed()).to.equal('draining');
    redis.status = 'ready';
    expect(gate.closed()).to.equal('draining');
  });

  it('is starting, and not away, until the first result of a poll', async () => {
    const { gate, seen } = open([new Error('not connected yet'), FINE]);
    await until(() => gate.closed() === null);
    expect(seen.changes).to.deep.equal([null]);
  });

  it('reports an error of Redis once, and again after a good poll', async () => {
    const [no, other] = [answered('NOPERM'), answered('NOAUTH')];
    const moving = answered('MOVED 1 127.0.0.1:6379');
    const looks = [FINE, no, no, moving, new Error('Command timed out'), no, other, FINE, other, other];
    const { seen } = open(looks);
    await until(() => seen.looks > looks.length);
    expect(seen.told).to.deep.equal(['NOPERM', 'NOAUTH', 'NOAUTH']);
    expect(seen.changes).to.deep.equal([null, 'redis_away', null, 'redis_away']);
  });
});
