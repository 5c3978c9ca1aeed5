import type { Delivered } from '@sluice/dispatcher/attempt/deliver';
import type { Lease } from '@sluice/dispatcher/attempt/lease';
import type { RequestErrorCode } from '@sluice/dispatcher/judge/judge-response';
import { nextState } from '@sluice/dispatcher/judge/next-state';
import { attemptAll, type BatchDeps } from '@sluice/dispatcher/turns/run-turn';
import { INITIAL_STATE, type ReceiverState, type TakenEntry, type Turn } from '@sluice/outbound/queue/turn';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { expect } from 'chai';
import { subscription } from '../outbound/directory/support/use-directory.ts';

const WAITING = { begin: () => {}, end: () => {} };
const NOW = Date.parse('2027-01-01T00:00:00Z');

const failed = (code: RequestErrorCode): Delivered => {
  return { outcome: 'attempted', answer: { kind: 'error', code }, at: NOW, durationMs: 1 };
};

/** The attempts of a turn with a message of each record. Each message had ten attempts before. */
async function attempts(
  records: readonly string[],
  delivered: Delivered,
  {
    entry = {},
    state = INITIAL_STATE,
    token = 't',
  }: { entry?: Partial<TakenEntry>; state?: ReceiverState; token?: string } = {},
) {
  const rows: AttemptRow[] = [];
  let withoutText = 0;
  const deps: BatchDeps = {
    deliver: async () => delivered,
    readText: async () => undefined,
    onAttempt: ({ row }) => void rows.push(row),
    onNoText: () => {
      withoutText += 1;
    },
    ...{ stopping: () => false, now: () => NOW, random: () => 0.5 },
  };
  const entries = records.map((recordId, index): TakenEntry => {
    const ids = { number: index, messageId: `msg_${index}`, changeId: `c${index}`, recordId };
    const once = { attempts: 10, redelivery: false, recovered: false, pushedAt: NOW };
    return { ...ids, kind: 'lead.created', ...once, text: '"type":"x"}', readAt: 0, ...entry };
  });
  const turn: Turn = {
    ...{ accountId: 'acc_1', subscription: subscription(), token, leaseUntil: 0 },
    ...{ state, entries },
  };
  const lease = { stopped: () => undefined } as Lease;
  const ended = await attemptAll(deps, { turn, entries, state, lease, waiting: WAITING });
  const finished = ended.flatMap((one) => one.finished ?? []);
  const results = ended.map(({ result }) => result);
  const outcomes = results.map(({ outcome }) => outcome);
  return {
    results,
    outcomes,
    rows,
    logged: ended.map(({ row }) => row !== undefined),
    withoutText,
    next: nextState(state, finished, { now: NOW, random: () => 0.5 }),
  };
}

describe('dispatcher: a message whose secret no key opens', () => {
  it('keeps its place and its attempts. The subscription pauses for 10 s, and the log has it once', async () => {
    const { outcomes, rows, next } = await attempts(['a', 'b', 'c', 'd', 'e', 'f'], failed('no_secret'));
    expect(outcomes).to.deep.equal(Array(6).fill('given_back'));
    expect(next).to.deep.equal({ ...INITIAL_STATE, notBefore: NOW + 10_000 });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ status: 'pending', next_attempt_at: NOW + 10_000 });
    expect(rows[0]?.attempt.sentence).to.match(/^Nothing was sent: no key/);
    const later = await attempts(['a'], failed('no_secret'), { token: 'another turn' });
    expect(later.rows[0]?.attempt.id).to.equal(rows[0]?.attempt.id);
  });

  it('has each try in the log if something was sent', async () => {
    const tries = ['a turn', 'another turn'].map((token) => attempts(['a'], failed('timeout'), { token }));
    const ids = (await Promise.all(tries)).map(({ rows }) => rows[0]?.attempt.id);
    expect(new Set(ids)).to.have.property('size', 2);
  });

  it('ends if it is a resend: it would be taken again at once, because no pause holds a resend', async () => {
    const { outcomes, rows } = await attempts(['a'], failed('no_secret'), { entry: { redelivery: true } });
    expect(outcomes).to.deep.equal(['done']);
    expect(rows[0]).to.include({ status_stays: true, next_attempt_at: null });
  });
});

for (const [what, code, holdMs] of [
  ['the dispatcher has no room to connect', 'no_socket', 5_000],
  ['the proxy of the dispatcher cannot be reached', 'no_proxy', 5_000],
  ['the proxy of the dispatcher rejects the connection', 'proxy_rejected', 30_000],
  ['no name server answers', 'no_name_server', 5_000],
  ['all connections of its host are in use', 'no_connection', 5_000],
] as const)
  describe(`dispatcher: a message for which ${what}`, () => {
    it('keeps its place and its attempts, and says nothing about its receiver', async () => {
      const { outcomes, rows, next } = await attempts(['a', 'b', 'c', 'd', 'e', 'f'], failed(code));
      expect(outcomes).to.deep.equal(Array(6).fill('given_back'));
      expect(next).to.deep.equal({ ...INITIAL_STATE, notBefore: NOW + holdMs });
      expect(rows[0]).to.include({ status: 'pending', next_attempt_at: NOW + holdMs });
      const later = await attempts(['a'], failed(code), { token: 'another turn' });
      expect(later.rows[0]?.attempt.id, 'the log has it once').to.equal(rows[0]?.attempt.id);
    });
  });

describe('dispatcher: a resend for a host whose connections are all in use', () => {
  const resend = (attempted = 0, token = 't') =>
    attempts(['a'], failed('no_connection'), { entry: { redelivery: true, attempts: attempted }, token });

  it('is still to be sent, after the other messages of its subscription, and stays what it was', async () => {
    const { results, rows, next } = await resend();
    expect(results).to.deep.equal([{ number: 0, outcome: 'again', dueAt: NOW + 10_000 }]);
    expect(next.notBefore).to.be.below(NOW + 10_000);
    expect(rows[0]).to.include({ status_stays: true, next_attempt_at: null });
    expect(rows[0]?.attempt.sentence).to.match(/The resend is tried again\.$/);
    const later = await resend(0, 'another turn');
    expect(later.rows[0]?.attempt.id).not.to.equal(rows[0]?.attempt.id);
  });

  it('is logged at its first and its twentieth try, and then it ends', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, tried) => resend(tried)));
    expect(all.flatMap(({ logged }, tried) => (logged[0] ? [tried] : []))).to.deep.equal([0, 19]);
    const outcomes = all.flatMap((one) => one.outcomes);
    expect(outcomes).to.deep.equal([...Array(19).fill('again'), 'done']);
    expect(all[19]?.rows[0]?.attempt.sentence).to.match(/ended after 20 tries\.$/);
  });
});

describe('dispatcher: a message whose text was erased', () => {
  for (const [when, delivered, entry] of [
    ['before its turn', failed('timeout'), { text: null }],
    ['while it waited for a connection', { outcome: 'no_text' }, {}],
  ] as const)
    it(`ends unsent and is counted: ${when}`, async () => {
      const { outcomes, rows, withoutText } = await attempts(['a'], delivered, { entry });
      expect(outcomes).to.deep.equal(['no_text']);
      expect(withoutText).to.equal(1);
      expect(rows).to.deep.equal([]);
    });
});

describe('dispatcher: the eleventh attempt of a message', () => {
  it('is the last one', async () => {
    const { outcomes, rows } = await attempts(['a'], failed('timeout'));
    expect(outcomes).to.deep.equal(['done']);
    expect(rows[0]).to.include({ status: 'failed', next_attempt_at: null });
  });

  it('is not the last one while the receiver is probed: each message would fail that happens to be the probe', async () => {
    const state = { ...INITIAL_STATE, probing: true };
    const { outcomes, rows } = await attempts(['a'], failed('timeout'), { state });
    expect(outcomes).to.deep.equal(['again']);
    expect(rows[0]).to.include({ status: 'pending', next_attempt_at: NOW + 24 * 3_600_000 });
  });
});
