import { type RunningServer, startServer } from '@sluice/embedded-mongodb/server';
import { parseMessage } from '@sluice/embedded-mongodb/wire/message';
import { deserialize, serialize } from 'bson';
import { expect } from 'chai';
import fc from 'fast-check';
import { closed, connectRaw, msg, reply } from '../support/raw-connection.ts';

/** Valid messages. Mutations of them reach deeper code than random bytes. */
const SEEDS: Buffer[] = [
  { hello: 1, $db: 'admin' },
  { insert: 'c', documents: [{ _id: 1, a: 'x', list: [1, { b: 2 }] }], ordered: false, $db: 'fuzz' },
  {
    update: 'c',
    updates: [
      { q: { _id: 1 }, u: { $set: { 'a.b': 1 }, $push: { l: { $each: [1], $slice: 2 } } }, upsert: true },
    ],
    $db: 'fuzz',
  },
  {
    find: 'c',
    filter: { a: { $gt: 1, $in: [1, null] }, $or: [{ b: 1 }] },
    sort: { a: -1 },
    limit: 5,
    batchSize: 2,
    $db: 'fuzz',
  },
  {
    aggregate: 'c',
    pipeline: [{ $match: { a: 1 } }, { $group: { _id: '$a', n: { $sum: 1 } } }],
    cursor: {},
    $db: 'fuzz',
  },
  {
    createIndexes: 'c',
    indexes: [
      { key: { a: 1 }, name: 'a_1', unique: true, partialFilterExpression: { a: { $exists: true } } },
    ],
    $db: 'fuzz',
  },
  { findAndModify: 'c', query: { a: 1 }, update: { $inc: { n: 1 } }, new: true, upsert: true, $db: 'fuzz' },
  { delete: 'c', deletes: [{ q: { a: { $type: 'string' } }, limit: 1 }], $db: 'fuzz' },
  { getMore: 5, collection: 'c', $db: 'fuzz' },
].map((document) => msg(document));

const mutation = fc.record({
  seed: fc.nat(SEEDS.length - 1),
  changes: fc.array(fc.tuple(fc.nat(500), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
  cut: fc.option(fc.nat(300)),
});

/**
 * A seed with some changed bytes and perhaps without its end. Its length field is corrected, so that the message is
 * parsed.
 */
function mutated({
  seed,
  changes,
  cut,
}: {
  seed: number;
  changes: [number, number][];
  cut: number | null;
}): Buffer {
  let bytes = Buffer.from(SEEDS[seed] as Buffer);
  for (const [at, value] of changes) bytes[16 + (at % (bytes.length - 16))] = value;
  if (cut !== null) bytes = bytes.subarray(0, Math.max(16, bytes.length - cut));
  bytes.writeInt32LE(bytes.length, 0);
  return bytes;
}

/** Any operand in any place: values that a query or update does not expect. */
const operand = fc.anything({
  values: [
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.date(),
    fc.constantFrom('$a', '$set', '$gt', 'a.b', ''),
  ],
  key: fc.constantFrom(
    '$gt',
    '$in',
    '$elemMatch',
    '$not',
    '$or',
    '$set',
    '$push',
    '$each',
    '$slice',
    '$type',
    '$regex',
    '$exists',
    'a',
    'a.b',
    '__proto__',
    '0',
    '$',
  ),
  maxDepth: 4,
});
const command = fc.oneof(
  operand.map((filter) => ({ find: 'c', filter, $db: 'fuzz' })),
  fc.tuple(operand, operand).map(([sort, projection]) => ({ find: 'c', sort, projection, $db: 'fuzz' })),
  fc
    .tuple(operand, operand)
    .map(([q, u]) => ({ update: 'c', updates: [{ q, u, upsert: true }], $db: 'fuzz' })),
  operand.map((document) => ({ insert: 'c', documents: [document], $db: 'fuzz' })),
  operand.map((stage) => ({
    aggregate: 'c',
    pipeline: [{ $match: stage }, { $project: stage }],
    cursor: {},
    $db: 'fuzz',
  })),
  operand.map((key) => ({
    createIndexes: 'c',
    indexes: [{ key, name: 'x', partialFilterExpression: key }],
    $db: 'fuzz',
  })),
  fc.tuple(fc.string(), operand).map(([name, value]) => ({ [name]: value, $db: 'fuzz' })),
);

describe('embedded-mongodb: fuzzing the wire protocol', () => {
  let server: RunningServer;
  const bugs: string[] = [];
  before(async () => {
    server = await startServer({
      log: (message) => {
        if (message.includes(' failed: ')) bugs.push(message);
      },
    });
  });
  after(() => server?.close());

  async function expectAlive(): Promise<void> {
    const socket = await connectRaw(server.port);
    socket.write(msg({ ping: 1, $db: 'admin' }));
    expect((await reply(socket)).document).to.deep.equal({ ok: 1 });
    socket.destroy();
  }

  /**
   * Sends bytes and then a ping. The ping is answered, or the connection is closed. A hang fails by the test's timeout.
   */
  async function send(bytes: Buffer): Promise<void> {
    const socket = await connectRaw(server.port);
    socket.write(bytes);
    socket.end(msg({ ping: 1, $db: 'admin' }, 99));
    await closed(socket);
  }

  it('5,000 random messages are parsed without a throw', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 200 }),
        fc.constantFrom(2013, 2004, 1, 2012, 0),
        (bytes, code) => {
          const message = Buffer.from(bytes);
          message.writeInt32LE(message.length, 0);
          message.writeInt32LE(code, 12);
          expect(parseMessage(message)).to.have.property('kind');
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('1,500 mutated messages: every connection is answered or closed, and the server keeps running', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => send(mutated(change))),
      { numRuns: 1500 },
    );
    await expectAlive();
  });

  it('300 streams of random bytes: every connection is answered or closed, and the server keeps running', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => send(Buffer.from(bytes))),
      { numRuns: 300 },
    );
    await expectAlive();
  });

  it('5,000 commands with operands of any shape are each answered, without an internal error', async () => {
    const socket = await connectRaw(server.port);
    await fc.assert(
      fc.asyncProperty(command, async (document) => {
        const encoded = encodable(document);
        if (!encoded) return;
        bugs.length = 0;
        socket.write(encoded);
        const answer = await reply(socket);
        expect(answer.document).to.have.property('ok');
        expect(bugs).to.deep.equal([]);
      }),
      { numRuns: 5000 },
    );
    socket.destroy();
    await expectAlive();
  });
});

/** The command as a message, or null if BSON cannot represent it, such as a zero byte in a name. */
function encodable(document: object): Buffer | null {
  try {
    deserialize(serialize(document));
    return msg(document);
  } catch {
    return null;
  }
}
