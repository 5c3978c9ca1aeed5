import { serialize } from 'bson';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { closed, connectRaw, message, msg, OP_MSG, reply } from '../support/raw-connection.ts';
import { useServers } from '../support/server.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_COMPRESSED = 2012;

function opQuery(namespace: string, document: object): Buffer {
  return message(
    OP_QUERY,
    Buffer.concat([Buffer.alloc(4), Buffer.from(`${namespace}\0`), Buffer.alloc(8), serialize(document)]),
  );
}

/** A section of kind 1. */
function sequence(name: string, documents: object[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(`${name}\0`),
    ...documents.map((document) => serialize(document)),
  ]);
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeInt32LE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

function msgWith(flags: number, ...sections: Buffer[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(flags, 0);
  return message(OP_MSG, Buffer.concat([head, ...sections]));
}

const body = (document: object): Buffer => Buffer.concat([Buffer.of(0), serialize(document)]);

describe('embedded-mongodb: the wire protocol', () => {
  const start = useServers();

  it('the first hello may be an OP_QUERY, which is answered with OP_REPLY', async () => {
    const { server } = await start();
    const socket = await connectRaw(server.port);
    socket.write(opQuery('admin.$cmd', { ismaster: 1, helloOk: true }));
    const { opCode, responseTo, document } = await reply(socket);
    expect({ opCode, responseTo }).to.deep.equal({ opCode: OP_REPLY, responseTo: 7 });
    expect(document).to.include({ ismaster: true, helloOk: true, maxBsonObjectSize: 16777216, ok: 1 });
    expect(document).to.not.have.any.keys('topologyVersion', 'logicalSessionTimeoutMinutes', 'setName');
    socket.destroy();
  });

  it('a message may arrive in any number of pieces, and several in one', async () => {
    const { server } = await start();
    const socket = await connectRaw(server.port);
    const two = Buffer.concat([msg({ ping: 1, $db: 'admin' }, 11), msg({ ping: 1, $db: 'admin' }, 12)]);
    for (const byte of two.subarray(0, 30))
      await new Promise<void>((resolve) => socket.write(Buffer.of(byte), () => resolve()));
    socket.write(two.subarray(30));
    const bytes: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => bytes.push(chunk));
    await until(() => Buffer.concat(bytes).length >= 2 * 34, { what: 'both replies are there' });
    const replies = Buffer.concat(bytes);
    expect(replies.readInt32LE(8)).to.equal(11);
    expect(replies.readInt32LE(replies.readInt32LE(0) + 8)).to.equal(12);
    socket.destroy();
  });

  it('a document sequence, followed by a checksum, sets the field of its name', async () => {
    const { server, client } = await start();
    const socket = await connectRaw(server.port);
    const CHECKSUM_PRESENT = 1;
    socket.write(
      msgWith(
        CHECKSUM_PRESENT,
        body({ insert: 'c', $db: 't' }),
        sequence('documents', [{ _id: 1 }, { _id: 2 }]),
        Buffer.alloc(4),
      ),
    );
    expect((await reply(socket)).document).to.deep.equal({ n: 2, ok: 1 });
    expect(await client.db('t').collection('c').countDocuments()).to.equal(2);
    socket.destroy();
  });

  it('a message with moreToCome is executed and not answered', async () => {
    const { server, client } = await start();
    const socket = await connectRaw(server.port);
    const MORE_TO_COME = 2;
    socket.write(msg({ insert: 'c', documents: [{ _id: 1 }], $db: 't' }, 21, MORE_TO_COME));
    socket.write(msg({ ping: 1, $db: 't' }, 22));
    expect((await reply(socket)).responseTo).to.equal(22);
    expect(await client.db('t').collection('c').countDocuments()).to.equal(1);
    socket.destroy();
  });

  const REFUSED: [name: string, bytes: Buffer][] = [
    ['a message shorter than its header', Buffer.from([5, 0, 0, 0, ...new Array(16).fill(0)])],
    [
      'a message over 48 MB',
      Buffer.concat([Buffer.from(new Int32Array([48_000_001]).buffer), Buffer.alloc(12)]),
    ],
    ['a message of negative length', Buffer.alloc(16, 0xff)],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    ['an unknown op code', message(4711, Buffer.alloc(8))],
    ['a compressed message without negotiation', message(OP_COMPRESSED, Buffer.alloc(16))],
    ['an unknown required flag', msgWith(4, body({ ping: 1, $db: 't' }))],
    ['a message without a body', msgWith(0)],
    ['two bodies', msgWith(0, body({ ping: 1, $db: 't' }), body({ ping: 1, $db: 't' }))],
    ['a section of unknown kind', msgWith(0, Buffer.concat([Buffer.of(9), serialize({ a: 1 })]))],
    ['a document longer than its message', msgWith(0, Buffer.from([0, 0xff, 0xff, 0, 0, 0]))],
    [
      'a sequence without a name',
      msgWith(0, body({ ping: 1, $db: 't' }), Buffer.from([1, 8, 0, 0, 0, 65, 65, 65, 65])),
    ],
  ];
  for (const [name, bytes] of REFUSED) {
    it(`${name} closes that connection and no other`, async () => {
      const { server, client } = await start();
      const socket = await connectRaw(server.port);
      socket.write(bytes);
      await closed(socket);
      expect(await client.db('t').command({ ping: 1 })).to.include({ ok: 1 });
    });
  }

  it('a body that is not BSON inside a valid message is rejected, and the connection stays open', async () => {
    const { server } = await start();
    const socket = await connectRaw(server.port);
    const broken = msg({ ping: 1, $db: 'admin', text: 'abc' }, 31);
    broken[25] = 0x7e; // no such BSON type
    socket.write(broken);
    expect((await reply(socket)).document).to.include({ ok: 0 });
    socket.write(msg({ ping: 1, $db: 'admin' }, 32));
    expect((await reply(socket)).document).to.include({ ok: 1 });
    socket.destroy();
  });

  it('a client that disconnects in the middle of a message does not affect others', async () => {
    const { server, client } = await start();
    for (let i = 0; i < 20; i++) {
      const socket = await connectRaw(server.port);
      socket.write(msg({ insert: 'c', documents: [{ a: i }], $db: 't' }).subarray(0, 25 + i));
      socket.resetAndDestroy();
    }
    expect(await client.db('t').collection('c').countDocuments()).to.equal(0);
  });
});
