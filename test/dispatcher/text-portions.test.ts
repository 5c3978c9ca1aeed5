import type { Lease } from '@sluice/dispatcher/attempt/lease';
import { type AttemptDeps, attemptAll } from '@sluice/dispatcher/turns/attempt-all';
import { createTextBudget, createUsualText, type TextBudget } from '@sluice/dispatcher/turns/text-portions';
import { INITIAL_STATE, type TakenEntry, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { subscription } from '../outbound/directory/support/use-directory.ts';

const NOW = 1_800_000_000_000;
const MANY = 12;
const usual = createUsualText();

/** The attempts of a turn whose texts are in MongoDB, and the changes of each read. */
async function attempted(
  { length, failsAt = 0, ...shared }: { length: number; failsAt?: number; texts?: TextBudget },
  more = {},
) {
  const reads: string[][] = [];
  const sent: string[] = [];
  const deps: AttemptDeps = {
    async deliver(_subscription, { changeId, text }) {
      expect(text).to.have.length(length);
      sent.push(changeId);
      return { outcome: 'attempted', answer: { kind: 'streamed' }, at: NOW, durationMs: 1 };
    },
    async findTexts(changeIds) {
      reads.push([...changeIds]);
      if (reads.length === failsAt) throw new Error('MongoDB is away');
      return new Map(changeIds.map((id) => [id, 'x'.repeat(length)]));
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
  const ended = await attemptAll(deps, { turn, entries, state, lease, waiting, ...more });
  expect(ended.map(({ result }) => result.number)).to.deep.equal(entries.map(({ number }) => number));
  const outcomes = ended.map(({ result }) => result.outcome);
  return { sizes: reads.map((ids) => ids.length), sent, outcomes };
}

describe('dispatcher: the texts of a turn', () => {
  it('are read two at a time if they are as long as they may be', async () => {
    const { sizes, outcomes } = await attempted({ length: 1024 * 1024 });
    expect(sizes).to.deep.equal([4, 2, 2, 2, 2]);
    expect(outcomes).to.deep.equal(Array(MANY).fill('done'));
  });

  it('are read together if they are short, and at once if the turn has read others', async () => {
    expect((await attempted({ length: 1000 }, { usual })).sizes).to.deep.equal([4, 8]);
    expect((await attempted({ length: 1000 }, { usual })).sizes).to.deep.equal([12]);
  });

  it('cannot be read: what was attempted is settled, and the rest goes back', async () => {
    const { sent, outcomes } = await attempted({ length: 1024 * 1024, failsAt: 2 });
    expect(sent).to.have.length(4);
    expect(outcomes).to.deep.equal([...Array(4).fill('done'), ...Array(8).fill('given_back')]);
    const first = await attempted({ length: 1000, failsAt: 1 }).catch((error: Error) => error.message);
    expect(first).to.equal('MongoDB is away');
  });

  it('of all turns share a bound, beyond which each turn has one at a time', async () => {
    const length = 1000;
    const most: number[] = [];
    const texts = createTextBudget(() => 2, 8 * length);
    const release = texts.hold(6 * length);
    const watched = {
      ...texts,
      hold(added: number) {
        const released = texts.hold(added);
        most.push(texts.held());
        return released;
      },
    };
    const seen = createUsualText();
    seen.saw(['x'.repeat(length)]);
    expect((await attempted({ length, texts: watched }, { usual: seen })).sizes).to.deep.equal(
      Array(6).fill(2),
    );
    expect(Math.max(...most)).to.equal(8 * length);
    expect(texts.held()).to.equal(6 * length);
    texts.hold(9 * length);
    expect((await attempted({ length, texts }, { usual: seen })).sizes).to.deep.equal(Array(12).fill(1));
    release();
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
