import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Delivery } from '@sluice/contract/delivery';
import { type RunningServer, startServer } from '@sluice/embedded-mongodb/server';
import { connectStore, type Store } from '@sluice/store/connect';
import { databaseOf } from '@sluice/store/connection';
import { isMongoAway } from '@sluice/store/mongo-away';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

/** Short, so that a test waits no longer than it must, and long enough for a machine with much else to do. */
const SELECTION_MS = 1000;
const answers = (store: Store) =>
  store.ping().then(
    () => true,
    () => false,
  );
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the connection of the store', () => {
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

  /** The store of a server that runs: its first attempt may come too late on a busy machine. */
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

  it('does not mind that MongoDB is away at start, says so, and is there when MongoDB is', async () => {
    store = connect();
    expect(isMongoAway(await errorOf(store.opened()))).to.equal(true);
    expect(await answers(store)).to.equal(false);
    server = await startServer({ port });
    await until(() => answers(store));
    await store.ensureIndexes();
    expect(lines).to.include('mongodb is away; trying again');
  });

  it('says once why MongoDB is away, however often it is tried in vain', async () => {
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
    const [said, why] = [[...lines], [...reasons]];
    await store.close();
    await once(refusing.close(), 'close');
    expect(new Set(said)).to.deep.equal(new Set(['mongodb is away; trying again']));
    // It closes the connection, or is out of time before: whichever comes first is another reason.
    expect(why).to.have.length.within(1, 2);
    expect(new Set(why)).to.have.property('size', why.length);
  });

  it('fails every verb at once while MongoDB was never there, as trouble that passes', async () => {
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

  it('comes back by itself when MongoDB does', async () => {
    server = await startServer({ port });
    await connectToServer();
    await server.close();
    const error = await errorOf(store.accounts.listAccounts());
    expect(isMongoAway(error), String(error)).to.equal(true);
    // The driver wraps what cuts a bulk write short.
    const ofBulk = await errorOf(
      store.deliveries.insertDeliveries([{ delivery_id: 'dlv_1', received_at: 0 } as Delivery]),
    );
    expect(ofBulk).to.be.instanceOf(mongo.MongoBulkWriteError);
    expect(isMongoAway(ofBulk), String(ofBulk)).to.equal(true);
    server = await startServer({ port });
    await until(() => answers(store));
    expect(await store.accounts.listAccounts()).to.deep.equal([]);
    expect(lines).to.deep.equal(['mongodb is away; reconnecting', 'mongodb is back']);
  });

  it('is away too where a router finds no primary of a shard, or has no answer of it', () => {
    for (const code of [133, 202]) {
      const error = new mongo.MongoServerError({ code, message: 'of a router' });
      expect(isMongoAway(error), String(code)).to.equal(true);
    }
  });

  it('says nothing of being closed, which is no trouble', async () => {
    server = await startServer({ port });
    await connectToServer();
    await store.close();
    expect(lines).to.deep.equal([]);
  });

  it('can be closed while it is still trying, and closed again', async () => {
    store = connect();
    store.opened().catch(() => {});
    const closed = store.close().then(() => 'closed');
    expect(await closed).to.equal('closed');
    await store.close();
  });

  it('keeps installations apart by the name of the database', async () => {
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
    it(`takes ${database ?? 'the namespace'} as the database for ${url}`, () => {
      store = { close: async () => {} } as Store;
      expect(databaseOf(url)).to.equal(database);
    });
  }
});
