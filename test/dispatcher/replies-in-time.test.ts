import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Lease } from '@sluice/dispatcher/attempt/lease';
import type { Answer } from '@sluice/dispatcher/judge/judge-response';
import { nextState } from '@sluice/dispatcher/judge/next-state';
import { attemptAll, type BatchDeps } from '@sluice/dispatcher/turns/run-turn';
import { INITIAL_STATE, type TakenEntry, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { subscription } from '../outbound/directory/support/use-directory.ts';

const REPLIES = subscription({ kind: 'reply', ordered: true, give_up_after_ms: 10 * MINUTE_MS });
const LEASE = { stopped: () => undefined } as Lease;
const WAITING = { begin: () => {}, end: () => {} };

interface Ended {
  readonly delivered: boolean;
  readonly at: number;
  readonly reason: string | null;
}

const responds = (status: number, retryAfterMs: number | null = null): Answer => {
  return { kind: 'response', status, retryAfterMs, location: null, body: '' };
};

/** The subscription of a channel with a reply to each conversation. Time passes without a wait. Dispatchers are away until `from`. */
async function playReplies(
  conversations: number,
  answerAt: (now: number) => Answer,
  { from = 0 }: { readonly from?: number } = {},
): Promise<{ readonly ended: ReadonlyMap<string, Ended>; readonly requestsAt: readonly number[] }> {
  let [now, state] = [from, INITIAL_STATE];
  const requestsAt: number[] = [];
  const ended = new Map<string, Ended>();
  const deps: BatchDeps = {
    async deliver() {
      requestsAt.push(now);
      return { outcome: 'attempted', answer: answerAt(now), at: now, durationMs: 1 };
    },
    ...{ readText: async () => undefined, onAttempt: () => {}, onNoText: () => {} },
    ...{ stopping: () => false, now: () => now, random: () => 0.5 },
  };
  const once = { attempts: 0, redelivery: false, recovered: false, pushedAt: 0 };
  const ids = Array.from({ length: conversations }, (_, number) => number);
  let waiting = ids.map((number) => {
    const text = `"type":"conversation.reply","data":{"id":"msg_${number}"}}`;
    const names = { messageId: `m_${number}`, changeId: `c_${number}`, recordId: `conv_${number}` };
    const entry: TakenEntry = { number, ...names, kind: 'conversation.reply', ...once, text, readAt: 0 };
    return { entry, dueAt: 0 };
  });
  while (waiting.length > 0) {
    now = Math.max(now, state.notBefore, Math.min(...waiting.map(({ dueAt }) => dueAt)));
    const due = waiting.filter(({ dueAt }) => dueAt <= now);
    const entries = due.slice(0, state.probing ? 1 : due.length).map(({ entry }) => entry);
    const turn: Turn = { accountId: 'acc', subscription: REPLIES, token: 't', leaseUntil: 0, state, entries };
    const attempts = await attemptAll(deps, { turn, entries, state, lease: LEASE, waiting: WAITING });
    const finished = attempts.flatMap((one) => one.finished ?? []);
    state = nextState(state, finished, { now, random: () => 0.5, isReply: true });
    for (const { reply } of attempts) if (reply) ended.set(reply.messageId, { ...reply, at: now });
    waiting = waiting.flatMap(({ entry, dueAt }) => {
      const result = attempts.find((one) => one.result.number === entry.number)?.result;
      if (result?.outcome === 'done') return [];
      if (result?.outcome !== 'again') return [{ entry, dueAt }];
      return [{ entry: { ...entry, attempts: entry.attempts + 1 }, dueAt: result.dueAt }];
    });
  }
  return { ended, requestsAt };
}

describe('dispatcher: replies that fail', () => {
  it('are delivered where the chat server is back after nine minutes', async () => {
    const { ended } = await playReplies(1, (now) => responds(now < 9 * MINUTE_MS ? 503 : 200));
    expect(ended.get('msg_0')?.delivered).to.equal(true);
    expect(ended.get('msg_0')?.at).to.be.below(10 * MINUTE_MS);
  });

  it('have all failed after ten minutes, however many conversations wait', async () => {
    const { ended } = await playReplies(30, () => responds(500));
    expect([...ended.values()]).to.have.length(30);
    for (const { delivered, at, reason } of ended.values()) {
      expect(delivered).to.equal(false);
      expect(at).to.be.within(9 * MINUTE_MS, 10 * MINUTE_MS);
      expect(reason).to.match(/No further attempt within 10 minutes\.$/);
    }
  });

  it('fail without a request where no dispatcher ran for ten minutes: the visitor has left', async () => {
    const { ended, requestsAt } = await playReplies(3, () => responds(200), { from: 10 * MINUTE_MS });
    expect([...ended.values()].map(({ delivered }) => delivered)).to.deep.equal([false, false, false]);
    expect(ended.get('msg_0')?.reason).to.match(/^Nothing was sent: it waited for too long\./);
    expect(requestsAt).to.deep.equal([]);
  });

  it('end within ten minutes also where the chat server asks to wait for a day', async () => {
    const { ended } = await playReplies(2, () => responds(429, 86_400_000));
    for (const { delivered, at } of ended.values()) {
      expect(delivered).to.equal(false);
      expect(at).to.be.at.most(10 * MINUTE_MS);
    }
    expect(ended.size).to.equal(2);
  });

  it('are tried again after a 410, and name the channel instead of a subscription', async () => {
    const back = await playReplies(1, (now) => responds(now < MINUTE_MS ? 410 : 200));
    expect(back.ended.get('msg_0')?.delivered).to.equal(true);
    const gone = await playReplies(1, () => responds(410));
    expect(gone.ended.get('msg_0')?.reason).to.match(
      /answered 410: it is gone\. Correct it under Settings > Channels\./,
    );
  });
});
