import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { type RunningServer, startServer } from '@sluice/embedded-mongodb/server';
import { connectStore, type Store } from '@sluice/store/connect';
import { databaseOf } from '@sluice/store/connection/connection';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

/** Short, so that tests are quick, and long enough for a busy machine. */
const SELECTION_MS = 1000;
const responds = (store: Store) =>
  store.ping().then(
    () => true,
    () => false,
  );
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('store: connection', () => {
  let port: number;
  let store: Store;
  let server: RunningServer | undefined;
  const lines: string[] = [];
  const reasons: unknown[] = [];
  const logger = {
    info: (_: object, line: string) => void lines.push(line),
    warn: (fields: { readonly reason?: unknown }, line: string) => {
      lines.push(line);
      reasons.push(fields.reason);
    },
    error: (_: object, line: string) => void lines.push(line),
  };
  const connect = () =>
    connectStore({
      url: `mongodb://127.0.0.1:${port}`,
      namespace: 'named',
      serverSelectionMs: SELECTION_MS,
      logger,
    });

  /** Connects to a running server. Retries, because the first attempt may time out on a busy machine. */
  const connectToServer = async (): Promise<void> => {
    for (;;) {
      lines.length = 0;
      store = connect();
      if ((await errorOf(store.opened())) === undefined) return;
      await store.close();
    }
  };

  beforeEach(async () => {
    port = await freePort();
    lines.length = 0;
    reasons.length = 0;
  });
  afterEach(async () => {
    await store?.close();
    await server?.close();
    server = undefined;
  });

  it('logs that MongoDB is unavailable at start, and connects once it is available', async () => {
    store = connect();
    expect(isMongoAway(await errorOf(store.opened()))).to.equal(true);
    expect(await responds(store)).to.equal(false);
    server = await startServer({ port });
    await until(() => responds(store));
    await store.ensureIndexes();
    expect(lines).to.include('MongoDB is unavailable; retrying');
  });

  it('logs once why MongoDB is unavailable, however many attempts fail', async () => {
    let tries = 0;
    const refusing = createServer((socket) => {
      tries += 1;
      socket.destroy();
    });
    await once(refusing.listen(port, '127.0.0.1'), 'listening');
    store = connectStore({
      url: `mongodb://127.0.0.1:${port}`,
      namespace: 'named',
      serverSelectionMs: 50,
      logger,
    });
    await until(() => tries >= 4, { what: 'it was tried four times' });
    const [messages, causes] = [[...lines], [...reasons]];
    await store.close();
    await once(refusing.close(), 'close');
    expect(new Set(messages)).to.deep.equal(new Set(['MongoDB is unavailable; retrying']));
    // The server closes the connection, or the attempt times out first. Each is a separate reason.
    expect(causes).to.have.length.within(1, 2);
    expect(new Set(causes)).to.have.property('size', causes.length);
  });

  it('fails every operation immediately with a retryable error until the first connection', async () => {
    store = connect();
    const verbs = [
      () => store.events.loadPortion(['evt_1']),
      () => store.accounts.listAccounts(),
      () => store.sources.findSource('src_1'),
      () => store.ensureIndexes(),
      () => store.ping(),
    ];
    for (const verb of verbs) expect(isMongoAway(await errorOf(verb())), String(verb)).to.equal(true);
    await errorOf(store.opened());
  });

  it('reconnects automatically when MongoDB is back', async () => {
    server = await startServer({ port });
    await connectToServer();
    await server.close();
    const error = await errorOf(store.accounts.listAccounts());
    expect(isMongoAway(error), String(error)).to.equal(true);
    // The driver wraps the cause of an interrupted bulk write.
    const ofBulk = await errorOf(
      store.deliveries.insertDeliveries([{ delivery_id: 'dlv_1', received_at: 0 } as Delivery]),
    );
    expect(ofBulk).to.be.instanceOf(mongo.MongoBulkWriteError);
    expect(isMongoAway(ofBulk), String(ofBulk)).to.equal(true);
    server = await startServer({ port });
    await until(() => responds(store));
    expect(await store.accounts.listAccounts()).to.deep.equal([]);
    expect(lines).to.deep.equal(['MongoDB is unavailable; reconnecting', 'MongoDB is available again']);
  });

  it('treats a router without a primary or a response of a shard as unavailable', () => {
    for (const code of [133, 202]) {
      const error = new mongo.MongoServerError({ code, message: 'of a router' });
      expect(isMongoAway(error), String(code)).to.equal(true);
    }
  });

  it('logs nothing when it is closed', async () => {
    server = await startServer({ port });
    await connectToServer();
    await store.close();
    expect(lines).to.deep.equal([]);
  });

  it('closes while it is still connecting, and can be closed again', async () => {
    store = connect();
    store.opened().catch(() => {});
    const closed = store.close().then(() => 'closed');
    expect(await closed).to.equal('closed');
    await store.close();
  });

  it('separates installations by the name of the database', async () => {
    server = await startServer({ port });
    await connectToServer();
    const account = { account_id: 'demo', name: 'demo', plan: 'unlimited', created_at: 1 };
    await store.accounts.insertAccount(account);
    const other = connectStore({ url: `mongodb://127.0.0.1:${port}`, namespace: 'other' });
    await other.opened();
    expect(await other.accounts.listAccounts()).to.deep.equal([]);
    await other.close();
    const same = connectStore({ url: `mongodb://127.0.0.1:${port}/named`, namespace: 'other' });
    await same.opened();
    expect(await same.accounts.listAccounts()).to.deep.equal([account]);
    await same.close();
  });

  for (const [url, database] of [
    ['mongodb://localhost', undefined],
    ['mongodb://localhost/', undefined],
    ['mongodb://localhost/?replicaSet=rs0', undefined],
    ['mongodb://user:p%40ss@a:1,b:2,c:3/events?replicaSet=rs0', 'events'],
    ['mongodb+srv://cluster.example.com/my%20events', 'my events'],
  ] as const) {
    it(`uses ${database ?? 'the namespace'} as the database for ${url}`, () => {
      store = { close: async () => {} } as Store;
      expect(databaseOf(url)).to.equal(database);
    });
  }
});
