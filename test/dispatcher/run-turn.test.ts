import { DAY_MS, HOUR_MS } from '@sluice/contract/time/durations';
import { createGather, GATHER_MS } from '@sluice/dispatcher/turns/gather';
import { createRunTurn, type RunTurnDeps } from '@sluice/dispatcher/turns/run-turn';
import { INITIAL_STATE, type Settled, type TakenEntry, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { until } from '../support/until.ts';

const WAITING = { begin: () => {}, end: () => {} };

const entry = (number: number): TakenEntry => ({
  ...{
    number,
    messageId: `msg_${number}`,
    changeId: `c${number}`,
    kind: 'event.created',
    recordId: `evt_${number}`,
  },
  ...{
    attempts: 0,
    redelivery: false,
    recovered: false,
    pushedAt: 0,
    text: '"type":"x"}',
    readAt: 0,
  },
});

const turn: Turn = {
  accountId: 'acc_1',
  subscription: {
    ...{
      subscription_id: 'sub_1',
      account_id: 'acc_1',
      version: 1,
      kind: 'webhook',
      target_url: 'http://a/',
    },
    ...{
      secrets: [],
      ordered: false,
      events: ['*'],
      filter: {},
      created_at: 0,
      paused: null,
      key_expires_at: null,
    },
    ...{ ephemeral_until: null, give_up_after_ms: null },
  },
  ...{ token: 'token', leaseUntil: Number.POSITIVE_INFINITY, state: INITIAL_STATE, entries: [entry(1)] },
};

/** A turn over entries 1, 2, 3, …, one at a time. `status` is the response to each. */
function runOver(
  last: number,
  status: (number: number) => number,
  {
    isLoggedAtOnce = false,
    isLoaded = true,
    first = entry(1),
    now = (): number => 0,
    running = 1,
    paused = null as 'failing' | null,
    state = INITIAL_STATE,
    isLost = false,
    kind = 'webhook' as 'webhook' | 'reply',
  } = {},
) {
  const settled: number[][] = [];
  const delivered: number[] = [];
  const logs: (() => void)[] = [];
  const waits: number[] = [];
  const told: string[] = [];
  const replies: string[] = [];
  let taken = isLoaded ? 1 : 0;
  const deps: RunTurnDeps = {
    turns: {
      async settle(_turn, { results, more }): Promise<Settled> {
        for (const one of results) if (one.outcome === 'again') waits.push(one.dueAt - now());
        settled.push(results.map(({ number }) => number));
        if (isLost) return { status: 'lost' };
        const entries = more > 0 && taken < last ? [entry(++taken)] : [];
        const isOver = entries.length === 0 && settled.flat().length === taken;
        return isOver
          ? { status: 'ended' }
          : { status: 'go_on', entries, leaseUntil: Number.POSITIVE_INFINITY };
      },
      renew: async () => ({ status: 'lost' }),
    },
    async deliver(_subscription, { number }) {
      delivered.push(number);
      const answer = {
        kind: 'response',
        status: status(number),
        retryAfterMs: null,
        location: null,
        body: '',
      } as const;
      return { outcome: 'attempted', answer, at: 0, durationMs: 1 };
    },
    logAttempts: (rows) =>
      new Promise((resolve) => {
        if (rows.length === 0 || isLoggedAtOnce) resolve();
        else {
          logs.push(resolve);
          unlogged.push(resolve);
        }
      }),
    ...{ readText: async () => undefined, removeGone: async () => {} },
    settleReply: async ({ messageId }) => void replies.push(messageId),
    ...{
      onAttempt: () => {},
      onNoText: () => {},
      onHealth: async (_subscription, health) => void told.push(health),
      stopping: () => false,
      running: () => running,
      now,
      random: () => 0.5,
    },
  };
  const subscription = { ...turn.subscription, paused, kind };
  const entries = isLoaded ? [first] : [];
  const ended = createRunTurn(deps)({ ...turn, subscription, state, entries }, WAITING);
  return { settled, delivered, logs, waits, told, replies, ended };
}

/** A test that fails leaves a turn that waits for its log, and its timer keeps the process running. */
const unlogged: (() => void)[] = [];

/** A turn gathers before it settles. A gathering that begins later ends later, so by then it could have settled too early. */
const pastGathering = createGather(GATHER_MS);

describe('dispatcher: a turn', () => {
  afterEach(() => {
    for (const log of unlogged.splice(0)) log();
  });

  it('logs delivered messages during the next attempts, and settles none that is not logged', async () => {
    const { settled, delivered, logs, ended } = runOver(3, () => 200);
    await until(() => delivered.length === 2 && logs.length === 2);
    expect(settled).to.deep.equal([[]]);
    logs[0]?.();
    await until(() => delivered.length === 3 && logs.length === 3);
    expect(settled).to.deep.equal([[], [1]]);
    logs[1]?.();
    logs[2]?.();
    await ended;
    expect(settled.flat()).to.deep.equal([1, 2, 3]);
  });

  it('tells a conversation how its reply ended before the log has it, in case the dispatcher dies in between', async () => {
    const first = { ...entry(1), text: '"type":"x","data":{"id":"cmsg_1"}}' };
    const { logs, replies, ended } = runOver(1, () => 200, { kind: 'reply', first });
    await until(() => logs.length === 1);
    expect(replies).to.deep.equal(['cmsg_1']);
    logs[0]?.();
    await ended;
  });

  for (const [what, start] of [
    ['a failed attempt before that is settled', () => runOver(2, (number) => (number === 1 ? 500 : 200))],
    [
      'a resend before that is settled, because the same message may wait for its retry',
      () => runOver(2, () => 200, { first: { ...entry(1), redelivery: true } }),
    ],
  ] as const)
    it(`takes nothing after ${what}`, async () => {
      const { settled, delivered, logs, ended } = start();
      await until(() => logs.length === 1);
      await pastGathering();
      expect(settled).to.deep.equal([]);
      logs[0]?.();
      await until(() => delivered.length === 2 && logs.length === 2);
      expect(settled[0]).to.deep.equal([1]);
      logs[1]?.();
      await ended;
      expect(settled.flat()).to.deep.equal([1, 2]);
    });

  it('keeps the wait of a retry if its clock is set back by an hour before it is settled', async () => {
    let asked = 0;
    const now = () => (asked++ < 3 ? HOUR_MS : 0);
    const { waits, ended } = runOver(1, () => 500, { isLoggedAtOnce: true, now });
    await ended;
    expect(waits).to.have.length(1);
    expect(waits[0]).to.be.closeTo(5000, 1000);
  });

  it('settles few messages once, after their log, beside many other turns', async () => {
    const { settled, logs, ended } = runOver(1, () => 200, { running: 100 });
    await until(() => logs.length === 1);
    await pastGathering();
    expect(settled).to.deep.equal([]);
    logs[0]?.();
    await ended;
    expect(settled).to.deep.equal([[1]]);
  });

  for (const [paused, status, expected] of [
    ['failing', 200, ['healed']],
    ['failing', 500, []],
    [null, 200, []],
  ] as const)
    it(`reports ${expected[0] ?? 'nothing'} after a ${status}, paused: ${paused}, if the state of the receiver is lost`, async () => {
      const { told, ended } = runOver(1, () => status, { isLoggedAtOnce: true, paused });
      await ended;
      expect(told).to.deep.equal(expected);
    });

  for (const [isLost, expected] of [
    [false, ['failing']],
    [true, []],
  ] as const)
    it(`reports ${expected[0] ?? 'nothing'} after failures for days, if its turn is ${isLost ? '' : 'not '}lost`, async () => {
      const state = { ...INITIAL_STATE, firstFailureAt: 1 };
      const now = () => 6 * DAY_MS;
      const { told, ended } = runOver(1, () => 500, { isLoggedAtOnce: true, now, state, isLost });
      await ended;
      expect(told).to.deep.equal(expected);
    });

  it('reports a receiver that accepted a message as healed, also if its turn is lost', async () => {
    const { told, ended } = runOver(1, () => 200, { isLoggedAtOnce: true, paused: 'failing', isLost: true });
    await ended;
    expect(told).to.deep.equal(['healed']);
  });

  it('gets entries that are in MongoDB from its first settlement', async () => {
    const { settled, delivered, ended } = runOver(2, () => 200, { isLoggedAtOnce: true, isLoaded: false });
    await ended;
    expect(settled).to.deep.equal([[], [1], [2]]);
    expect(delivered).to.deep.equal([1, 2]);
  });
});
