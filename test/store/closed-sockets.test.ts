import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { endWritesToClosedSockets } from '@sluice/store/connection/closed-sockets';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import { expect } from 'chai';
// The driver has no types for its parts.
// @ts-expect-error
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { mongo } from 'mongoose';
import { until } from '../support/until.ts';

interface Row {
  _id: number;
  text?: string;
  n?: number;
}

const MAIN = fileURLToPath(new URL('../support/ending-mongo-main.ts', import.meta.url));
/** Without the patch under test, the driver loses the server permanently after about five rounds. */
const ROUNDS = 20;
const AT_ONCE = 8;
/** More than the socket buffers hold while the server doesn't read. */
const LARGE = 14 * 1024 * 1024;

describe('a connection to MongoDB that closes without an error', () => {
  let server: ChildProcess;
  let client: mongo.MongoClient;
  let rows: mongo.Collection<Row>;
  before(endWritesToClosedSockets);
  beforeEach(async () => {
    server = fork(MAIN);
    const [url] = (await once(server, 'message')) as [string];
    // Uses the driver directly, because the store's timeouts are twenty times as long.
    client = new mongo.MongoClient(url, {
      serverSelectionTimeoutMS: 5_000,
      socketTimeoutMS: 1000,
      minHeartbeatFrequencyMS: 0,
      retryReads: false,
    });
    rows = client.db('t').collection<Row>('rows');
    await rows.insertOne({ _id: 0, n: 0 });
  });
  afterEach(async () => {
    server.kill('SIGKILL');
    await client.close();
  });

  it('fails a command that a frozen server did not read, after the timeout', async () => {
    server.kill('SIGSTOP');
    const error = await rows.insertOne({ _id: 1, text: 'x'.repeat(LARGE) }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).to.be.instanceOf(mongo.MongoNetworkTimeoutError);
  });

  it('fails a command with an error of the network if the server has ended the connection', async () => {
    const peer = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, '127.0.0.1');
    await once(peer, 'listening');
    const socket = connect((peer.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    const command = { toBin: async () => [Buffer.from('x')] };
    // The end is read, and the socket is not closed yet.
    const error = await new Promise((resolve) =>
      socket
        .on('end', () =>
          Connection.prototype.writeCommand
            .call({ socket }, command, { agreedCompressor: 'none' })
            .catch(resolve),
        )
        .resume(),
    );
    peer.close();
    expect(error).to.be.instanceOf(mongo.MongoNetworkError);
    expect((error as Error).cause).to.include({ code: 'EPIPE' });
    expect(isMongoAway(error)).to.equal(true);
  });

  it('reconnects to a server that closes all connections at once, in the middle of any command', async () => {
    let busy = true;
    let counted = 0;
    const count = async () => {
      for (; busy; counted++) await rows.updateOne({ _id: 0 }, { $inc: { n: 1 } }).catch(() => undefined);
    };
    const counting = Promise.all(Array.from({ length: AT_ONCE }, count));
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const before = counted;
        await until(() => counted >= before + 2 * AT_ONCE);
        server.send('end');
        await once(server, 'message');
      }
      await until(() => rows.findOne({ _id: 0 }).then(Boolean, () => false), { withinMs: 10_000 });
    } finally {
      busy = false;
      server.kill('SIGKILL');
      await counting;
    }
  });
});
