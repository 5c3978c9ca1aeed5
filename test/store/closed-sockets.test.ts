import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWritesToClosedSockets } from '@sluice/store/closed-sockets';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { until } from '../support/until.ts';

interface Row {
  _id: number;
  text?: string;
  n?: number;
}

const MAIN = fileURLToPath(new URL('../support/ending-mongo-main.ts', import.meta.url));
/** Without what is tested here the server is lost for good after some five. */
const ROUNDS = 60;
const AT_ONCE = 8;
/** More than the system's own buffers take while nobody reads. */
const LARGE = 14 * 1024 * 1024;

describe('a connection to MongoDB that closes without an error', () => {
  let server: ChildProcess;
  let client: mongo.MongoClient;
  let rows: mongo.Collection<Row>;
  before(endWritesToClosedSockets);
  beforeEach(async () => {
    server = fork(MAIN);
    const [url] = (await once(server, 'message')) as [string];
    // The driver by itself: what the store sets is twenty times as long.
    client = new mongo.MongoClient(url, {
      serverSelectionTimeoutMS: 1000,
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

  it('ends the command that a frozen server has not taken, once its time is over', async () => {
    server.kill('SIGSTOP');
    const error = await rows.insertOne({ _id: 1, text: 'x'.repeat(LARGE) }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).to.be.instanceOf(mongo.MongoNetworkTimeoutError);
  });

  it('is found again: a server that ends all connections at once, whatever they are at', async () => {
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
