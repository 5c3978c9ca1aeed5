import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Lease } from '@sluice/dispatcher/attempt/lease';
import { send } from '@sluice/dispatcher/attempt/send';
import { nextState } from '@sluice/dispatcher/judge/next-state';
import { type AttemptDeps, attemptAll } from '@sluice/dispatcher/turns/attempt-all';
import { createAgent } from '@sluice/egress/agent';
import { INITIAL_STATE, type TakenEntry, type Turn } from '@sluice/outbound/queue/turn';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { expect } from 'chai';
import { subscription } from '../outbound/queue/support/use-mailboxes.ts';
import { until } from '../support/until.ts';

const WAITING = { begin: () => {}, end: () => {} };

const NOW = Date.parse('2027-01-01T00:00:00Z');

describe('dispatcher: a message for a host whose connections are all in use', () => {
  let server: Server;
  const open: ServerResponse[] = [];
  before(async () => {
    server = createServer((_request, response) => void open.push(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is not sent, and the log does not say that the host could not be reached', async () => {
    const agent = createAgent({ mayConnect: () => true, connectMs: 1000, connectionsPerOrigin: 1 });
    const post = (wholeMs: number) =>
      send(agent, {
        url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
        ...{ headers: {}, body: '{}', leaseUntil: () => performance.now() + 1000, wholeMs },
      });
    const first = post(10_000);
    await until(() => open.length === 1);
    expect(await post(100)).to.deep.equal({ kind: 'error', code: 'no_connection' });
    open[0]?.end();
    expect(await first).to.include({ kind: 'response', status: 200 });
    await agent.close();
    expect(open).to.have.length(1);
  });

  const lease = { stopped: () => undefined } as Lease;
  /** The attempts of a turn in which no message gets a connection. */
  async function attempts(records: readonly string[], more: Partial<TakenEntry> = {}, token = 't') {
    const rows: AttemptRow[] = [];
    const deps: AttemptDeps = {
      deliver: async () => ({
        ...{ outcome: 'attempted', answer: { kind: 'error', code: 'no_connection' } },
        ...{ at: NOW, durationMs: 15_000 },
      }),
      findTexts: async () => new Map(),
      onAttempt: ({ row }) => void rows.push(row),
      onNoText: () => {},
      ...{ stopping: () => false, now: () => NOW, random: () => 0.5 },
    };
    const entries = records.map((recordId, index): TakenEntry => {
      const ids = { number: index, messageId: `msg_${index}`, changeId: `c${index}`, recordId };
      const once = { attempts: 10, redelivery: false, recovered: false, pushedAt: NOW, firstAttemptAt: NOW };
      return { ...ids, kind: 'lead.created', ...once, text: '"type":"x"}', readAt: 0, ...more };
    });
    const turn: Turn = {
      ...{ accountId: 'acc_1', subscription: subscription(), token, leaseUntil: 0 },
      ...{ state: INITIAL_STATE, entries },
    };
    const ended = await attemptAll(deps, { turn, entries, state: INITIAL_STATE, lease, waiting: WAITING });
    const finished = ended.flatMap((one) => one.finished ?? []);
    const state = nextState(INITIAL_STATE, finished, { now: NOW, random: () => 0.5 });
    return { ended, rows, state };
  }

  it('keeps its place and its attempts, and says so in its log', async () => {
    const { ended, rows } = await attempts(['a']);
    expect(ended.map(({ result }) => result)).to.deep.equal([{ number: 0, outcome: 'given_back' }]);
    expect(rows[0]).to.include({ status: 'pending', next_attempt_at: NOW + 5000 });
    expect(rows[0]?.attempt.sentence).to.match(/^Nothing was sent/);
  });

  it('is in the log once, however often it is tried: each time has the same id', async () => {
    const ids = async (...of: Parameters<typeof attempts>) =>
      (await attempts(...of)).rows.map(({ attempt }) => attempt.id);
    const first = await ids(['a', 'b']);
    expect(new Set(first)).to.have.property('size', 2);
    expect(await ids(['a', 'b'], {}, 'another turn')).to.deep.equal(first);
    const resend = { redelivery: true, attempts: 0 };
    expect(await ids(['a'], resend, 'a turn')).not.to.deep.equal(await ids(['a'], resend, 'another turn'));
  });

  it('does not count against its receiver: the mailbox only pauses for 5 s', async () => {
    const { state } = await attempts(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(state).to.deep.equal({ ...INITIAL_STATE, notBefore: NOW + 5000 });
  });

  it('is still to be sent if it is a resend, and stays what it was', async () => {
    const { ended } = await attempts(['a'], { redelivery: true, attempts: 0 });
    expect(ended[0]?.row).to.include({ status_stays: true, next_attempt_at: null });
    expect(ended[0]?.row?.attempt.sentence).to.match(/The resend is tried again\.$/);
  });

  it('lets the other messages of its mailbox go first if it is a resend', async () => {
    const { ended, state } = await attempts(['a'], { redelivery: true });
    expect(ended[0]?.result).to.deep.equal({ number: 0, outcome: 'again', dueAt: NOW + 10_000 });
    expect(state.notBefore).to.be.below(NOW + 10_000);
  });

  it('is logged at its first and its twentieth try if it is a resend, and then it ends', async () => {
    const tries = Array.from({ length: 20 }, (_, tried) => tried);
    const all = await Promise.all(
      tries.map((tried) => attempts(['a'], { redelivery: true, attempts: tried })),
    );
    const logged = all.map(({ ended }) => ended[0]?.row !== undefined);
    expect(tries.filter((tried) => logged[tried])).to.deep.equal([0, 19]);
    expect(all.map(({ ended }) => ended[0]?.result.outcome)).to.deep.equal([
      ...Array(19).fill('again'),
      'done',
    ]);
    expect(all[19]?.ended[0]?.row?.attempt.sentence).to.match(/ended after 20 tries\.$/);
  });
});
