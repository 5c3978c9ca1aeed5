import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createDeliver, type DeliverDeps, type Sendable } from '@sluice/dispatcher/attempt/deliver';
import { createLease } from '@sluice/dispatcher/attempt/lease';
import { createOriginSlots } from '@sluice/dispatcher/attempt/origin-slots';
import { type AgentSettings, createAgent } from '@sluice/egress/agent';
import { createResolve } from '@sluice/egress/resolve';
import { expect } from 'chai';
import { startNameServer } from '../egress/support/name-server.ts';
import { subscription } from '../outbound/directory/support/use-directory.ts';
import { until } from '../support/until.ts';

const LEASE_MS = 200;
/** Longer than a lease. */
const ANSWER_MS = 300;

/** Leases by a Redis that answers at once. */
const lease = () => {
  const renew = async () => ({ status: 'leased', leaseUntil: performance.now() + LEASE_MS }) as const;
  return createLease(performance.now() + LEASE_MS, renew);
};
const entry = (number: number, more: Partial<Sendable> = {}): Sendable => ({
  ...{ number, messageId: `msg_${number}`, changeId: `c${number}`, kind: 'lead.created', recordId: 'r' },
  ...{ attempts: 0, redelivery: false, recovered: false, pushedAt: 0 },
  text: '"type":"x"}',
  readAt: performance.now(),
  ...more,
});

describe('dispatcher: the delivery of a message', () => {
  let server: Server;
  let connections: number;
  let open: ServerResponse[];
  let answer: (response: ServerResponse) => void;
  const agents: ReturnType<typeof createAgent>[] = [];
  beforeEach(async () => {
    connections = 0;
    open = [];
    answer = (response) => response.end();
    server = createServer((_request, response) => {
      open.push(response);
      answer(response);
    }).on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function deliverWith(most: number, deps: Partial<DeliverDeps> = {}, settings: Partial<AgentSettings> = {}) {
    const common = { mayConnect: () => true, connectMs: 5000, connectionsPerOrigin: most };
    const agent = createAgent({ ...common, ...settings });
    agents.push(agent);
    return createDeliver({
      agent,
      signingKeys: () => [Buffer.alloc(24, 7)],
      streams: { append: async () => 'stopped' },
      slots: createOriginSlots(most),
      readText: async () => undefined,
      ...{ openedTo: () => connections, stopping: () => false, now: Date.now, userAgent: 'test' },
      ...deps,
    });
  }
  const to = (host: string) => {
    const { port } = server.address() as AddressInfo;
    return subscription({ target_url: `http://${host}:${port}/` });
  };
  const DELIVERED = { kind: 'response', status: 200, retryAfterMs: null, location: null, body: '' };

  it('waits for a connection of a busy host, and uses it although the first lease has ended', async () => {
    answer = (response) => setTimeout(() => response.end(), ANSWER_MS);
    const texts = new Map(Array.from({ length: 12 }, (_, n) => [`c${n}`, '"type":"x"}']));
    const deliver = deliverWith(2, { readText: async (id) => texts.get(id) });
    const turn = lease();
    const all = await Promise.all([...texts.keys()].map((_, n) => deliver(to('127.0.0.1'), entry(n), turn)));
    expect(all.map((one) => one.outcome === 'attempted' && one.answer)).to.deep.equal(
      all.map(() => DELIVERED),
    );
    expect(open).to.have.length(12);
    expect(connections).to.equal(2);
  });

  it('sends nothing with plain http where that is not allowed', async () => {
    const delivered = await deliverWith(1, {}, { mayUseHttp: () => false })(
      to('127.0.0.1'),
      entry(1),
      lease(),
    );
    expect(delivered).to.deep.include({ answer: { kind: 'error', code: 'plain_http' } });
    expect(connections).to.equal(0);
  });

  it('uses a connection that took longer to open than a lease lasts', async () => {
    const resolve: AgentSettings['resolve'] = () =>
      new Promise((found) => setTimeout(() => found([{ address: '127.0.0.1', family: 4 }]), 3 * LEASE_MS));
    const delivered = await deliverWith(2, {}, { resolve })(to('slow.test'), entry(1), lease());
    expect(delivered).to.deep.include({ outcome: 'attempted', answer: DELIVERED });
    expect(connections).to.equal(1);
  });

  it('does not wait for the names of others, and blames no receiver for a lookup that goes on', async () => {
    const names = await startNameServer((name) => (name === 'quick.test' ? ['127.0.0.1'] : 'silence'));
    const resolve = createResolve({ servers: [names.address], waitMs: 2000 });
    const deliver = deliverWith(5, {}, { resolve });
    let ended = 0;
    const slow = Array.from({ length: 20 }, (_, n) =>
      deliver(to(`r${n}.slow.test`), entry(n), lease()).finally(() => {
        ended += 1;
      }),
    );
    for (let n = 0; n < 5; n++)
      expect(await deliver(to('quick.test'), entry(n), lease())).to.deep.include({ answer: DELIVERED });
    expect(ended).to.equal(0);
    for (const one of await Promise.all(slow))
      expect(one).to.deep.include({ answer: { kind: 'error', code: 'no_name_server' } });
    names.close();
  });

  it('sends no text that was erased while it waited for a connection', async () => {
    answer = () => {};
    const texts = new Map(['c1', 'c3'].map((id) => [id, '"type":"x"}']));
    const deliver = deliverWith(1, { readText: async (id) => texts.get(id), freshMs: 0 });
    const turn = lease();
    const first = deliver(to('127.0.0.1'), entry(1), turn);
    await until(() => open.length === 1);
    const erased = deliver(to('127.0.0.1'), entry(2), turn);
    const kept = deliver(to('127.0.0.1'), entry(3), turn);
    const test = deliver(to('127.0.0.1'), entry(4, { kind: 'webhook.test' }), turn);
    answer = (response) => response.end();
    open[0]?.end();
    expect(await first).to.deep.include({ answer: DELIVERED });
    expect(await erased).to.deep.equal({ outcome: 'no_text' });
    expect(await kept).to.deep.include({ answer: DELIVERED });
    expect(await test).to.deep.include({ answer: DELIVERED });
    expect(open).to.have.length(3);
  });

  it('sends no text that was erased since its turn has taken it', async () => {
    const taken = entry(1, { readAt: performance.now() - 1500 });
    expect(await deliverWith(1)(to('127.0.0.1'), taken, lease())).to.deep.equal({ outcome: 'no_text' });
    expect(open).to.deep.equal([]);
  });

  /** The second request on a kept connection gets no response: the connection closes after `closesAfterMs`. */
  async function onClosedConnection(closesAfterMs: number) {
    const deliver = deliverWith(1, { wholeMs: 10_200 });
    expect(await deliver(to('127.0.0.1'), entry(1), lease())).to.deep.include({ answer: DELIVERED });
    answer = ({ socket }) => {
      answer = (response) => response.end();
      setTimeout(() => socket?.destroy(), closesAfterMs);
    };
    const second = await deliver(to('127.0.0.1'), entry(2), lease());
    return { requests: open.length, second };
  }

  it('is sent once more on a new connection if a kept one closes', async () => {
    const { requests, second } = await onClosedConnection(0);
    expect(second).to.deep.include({ answer: DELIVERED });
    expect(requests).to.equal(3);
  });

  it('is not sent once more if too little time is left to open a connection', async () => {
    const { requests, second } = await onClosedConnection(300);
    expect(second).to.deep.include({ answer: { kind: 'error', code: 'connection_closed' } });
    expect(requests).to.equal(2);
  });

  it('goes back if MongoDB is away and its text may be erased', async () => {
    const readText = () => Promise.reject(new Error('away'));
    const delivered = await deliverWith(1, { readText, freshMs: 0 })(to('127.0.0.1'), entry(1), lease());
    expect(delivered).to.deep.equal({ outcome: 'stopped' });
    expect(open).to.deep.equal([]);
  });

  it('goes back if the dispatcher stops meanwhile', async () => {
    let stops = false;
    answer = () => {};
    const deliver = deliverWith(1, { stopping: () => stops });
    const first = deliver(to('127.0.0.1'), entry(1), lease());
    await until(() => open.length === 1);
    const second = deliver(to('127.0.0.1'), entry(2), lease());
    stops = true;
    open[0]?.end();
    expect(await first).to.deep.include({ answer: DELIVERED });
    expect(await second).to.deep.equal({ outcome: 'stopped' });
  });

  it('sends nothing without a secret that signs', async () => {
    const delivered = await deliverWith(1, { signingKeys: () => [] })(to('127.0.0.1'), entry(1), lease());
    expect(delivered).to.deep.include({ answer: { kind: 'error', code: 'no_secret' } });
    expect(open).to.deep.equal([]);
  });
});
