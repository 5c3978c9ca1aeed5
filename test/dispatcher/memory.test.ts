import type { Lease } from '@sluice/dispatcher/attempt/lease';
import {
  createReadTexts,
  createTextBudget,
  entriesOfTurn,
  type TextBudget,
} from '@sluice/dispatcher/turns/memory';
import { attemptAll, type BatchDeps } from '@sluice/dispatcher/turns/run-turn';
import { INITIAL_STATE, type TakenEntry, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { subscription } from '../outbound/directory/support/use-directory.ts';

const NOW = 1_800_000_000_000;
const MANY = 12;

/** The attempts of a turn whose texts are in MongoDB, and how many of them it had at once. */
async function attempted(
  { length, failsAt = 0, ...shared }: { length: number; failsAt?: number; texts?: TextBudget },
  read = createReadTexts(),
) {
  let [reads, now, most] = [0, 0, 0];
  const deps: BatchDeps = {
    async deliver(_subscription, { text }) {
      expect(text).to.have.length(length);
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return { outcome: 'attempted', answer: { kind: 'streamed' }, at: NOW, durationMs: 1 };
    },
    async readText() {
      reads += 1;
      if (reads === failsAt) throw new Error('MongoDB is away');
      return 'x'.repeat(length);
    },
    ...shared,
    ...{ onAttempt: () => undefined, onNoText: () => undefined },
    ...{ stopping: () => false, now: () => NOW, random: () => 0.5 },
  };
  const entries = Array.from({ length: MANY }, (_, number): TakenEntry => {
    const ids = { number, messageId: `msg_${number}`, changeId: `c${number}`, recordId: `r${number}` };
    const once = { attempts: 0, redelivery: false, recovered: false, pushedAt: NOW };
    return { ...ids, kind: 'lead.created', ...once, text: null, readAt: 0 };
  });
  const state = { ...INITIAL_STATE, concurrency: 16 };
  const turn: Turn = {
    ...{ accountId: 'acc_1', subscription: subscription(), token: 't', leaseUntil: 0, state, entries },
  };
  const lease = { stopped: () => undefined } as Lease;
  const waiting = { begin: () => undefined, end: () => undefined };
  const ended = await attemptAll(deps, { turn, entries, state, lease, waiting, read });
  expect(ended.map(({ result }) => result.number)).to.deep.equal(entries.map(({ number }) => number));
  return { most, outcomes: ended.map(({ result }) => result.outcome) };
}

describe('dispatcher: the texts that a turn reads', () => {
  it('are four at a time while it knows nothing of them, and then two if they are as long as they may be', async () => {
    const read = createReadTexts();
    const { most, outcomes } = await attempted({ length: 1024 * 1024 }, read);
    expect(most).to.equal(4);
    expect(outcomes).to.deep.equal(Array(MANY).fill('done'));
    expect((await attempted({ length: 1024 * 1024 }, read)).most).to.equal(2);
  });

  it('are as many as the receiver gets at once if they are short', async () => {
    const read = createReadTexts();
    await attempted({ length: 1000 }, read);
    expect((await attempted({ length: 1000 }, read)).most).to.equal(MANY);
  });

  it('go back if MongoDB does not respond, and the others are sent', async () => {
    const { outcomes } = await attempted({ length: 1000, failsAt: 2 });
    expect(outcomes).to.deep.equal(['done', 'given_back', ...Array(MANY - 2).fill('done')]);
  });

  it('share a bound with those of all turns, beyond which each turn has one at a time', async () => {
    const length = 1000;
    const texts = createTextBudget(() => 2, 8 * length);
    texts.hold(6 * length);
    const read = () => ({ longest: length });
    expect((await attempted({ length, texts }, read())).most).to.equal(2);
    expect(texts.held()).to.equal(6 * length);
    texts.hold(9 * length);
    expect((await attempted({ length, texts }, read())).most).to.equal(1);
  });

  it('have a smaller share while more turns run', () => {
    let running = 0;
    const { share, hold } = createTextBudget(() => running);
    expect(share()).to.equal(2 * 1024 * 1024);
    running = 128;
    expect(share()).to.equal(512 * 1024);
    hold(64 * 1024 * 1024);
    expect(share(), 'large texts leave room for small ones').to.equal(32 * 1024);
  });
});

describe('the entries that a turn takes at once', () => {
  it('are as many as it asks for, or its share while many turns run, and 4 at least', () => {
    expect(entriesOfTurn(64, 16)).to.equal(64);
    expect(entriesOfTurn(64, 64)).to.equal(16);
    expect(entriesOfTurn(64, 100_000)).to.equal(4);
    expect(entriesOfTurn(2, 100_000)).to.equal(2);
  });
});
