import { copyFile, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, type ServerOptions, startServer } from '@sluice/embedded-mongodb/server';
import { expect } from 'chai';
import { type Collection, MongoClient } from 'mongodb';
import { rejection } from '../support/database.ts';

interface Row {
  _id: number;
  text: string;
}

const FLUSHED = { writeConcern: { w: 'majority' } } as const;

/** The state after a power cut: the files of one moment, with parts that never reached the disk. */
describe('embedded-mongodb: a power cut', () => {
  let folder = '';
  let left = '';
  const messages: string[] = [];
  const undo: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongodb-'));
    left = await mkdtemp(join(tmpdir(), 'embedded-mongodb-'));
    messages.length = 0;
  });
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    await rm(folder, { recursive: true, force: true });
    await rm(left, { recursive: true, force: true });
  });

  async function start(
    dataDir: string,
    options: ServerOptions = {},
  ): Promise<{ server: RunningServer; rows: Collection<Row> }> {
    const server = await startServer({
      dataDir,
      log: (message) => messages.push(message),
      ...options,
    });
    undo.push(server.close);
    const client = await new MongoClient(server.url).connect();
    undo.push(() => client.close());
    return { server, rows: client.db('t').collection<Row>('rows') };
  }

  const size = async () => (await stat(join(folder, 'journal'))).size;

  /** Copies the folder of a running server. The range `hole` of the journal is zeros. */
  async function cut(hole: readonly [from: number, to: number]): Promise<void> {
    for (const name of await readdir(folder))
      if (!name.startsWith('lock')) await copyFile(join(folder, name), join(left, name));
    const file = await open(join(left, 'journal'), 'r+');
    await file.write(Buffer.alloc(hole[1] - hole[0]), 0, hole[1] - hole[0], hole[0]);
    await file.close();
  }

  const found = async (rows: Collection<Row>) =>
    (await rows.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

  it('with a hole in the unflushed part loses only unflushed writes, and keeps a copy of the rest', async () => {
    const { rows } = await start(folder);
    await rows.insertMany(
      [
        { _id: 1, text: 'kept' },
        { _id: 2, text: 'kept' },
      ],
      FLUSHED,
    );
    const safe = await size();
    await rows.insertOne({ _id: 3, text: 'x'.repeat(5000) });
    const behindHole = await size();
    await rows.insertOne({ _id: 4, text: 'behind the hole' });
    await cut([safe + 1000, behindHole - 1000]);
    const tail = (await readFile(join(left, 'journal'))).length;

    const after = await start(left);
    expect(await found(after.rows)).to.deep.equal([1, 2]);
    const copy = (await readdir(left)).find((name) => name.startsWith('journal.cut-')) ?? '';
    expect(messages.join()).to.include(`They are kept in ${join(left, copy)}`);
    expect((await stat(join(left, copy))).size).to.be.within(tail - safe - 100, tail - safe);
    await after.rows.insertOne({ _id: 5, text: 'goes on' }, FLUSHED);
    expect(await found(after.rows)).to.deep.equal([1, 2, 5]);
  });

  it('is distinguished from damage of flushed data, which prevents a start', async () => {
    const { rows } = await start(folder);
    await rows.insertOne({ _id: 1, text: 'x'.repeat(5000) }, FLUSHED);
    const safe = await size();
    await rows.insertOne({ _id: 2, text: 'tells that the first was flushed' });
    await cut([safe - 3000, safe - 2000]);
    const before = await readFile(join(left, 'journal'));
    for (let attempt = 1; attempt <= 2; attempt++) {
      const refusal = await rejection(startServer({ dataDir: left }));
      expect(refusal).to.have.property('name', 'JournalCorruptError');
      expect(refusal.message).to.match(/tells that this was on the disk/);
    }
    expect((await readFile(join(left, 'journal'))).equals(before)).to.equal(true);
  });

  it('is distinguished from damage of compacted data', async () => {
    const { rows } = await start(folder, { compactMinBytes: 20_000 });
    await rows.insertOne({ _id: 1, text: 'x'.repeat(5000) }, FLUSHED);
    for (let round = 0; !messages.join().includes('Compacted'); round++)
      await rows.updateOne({ _id: 2 }, { $set: { text: `${round}`.repeat(500) } }, { upsert: true });
    await rows.insertOne({ _id: 3, text: 'the first write after the compaction' });
    await cut([1000, 2000]);
    expect(await rejection(startServer({ dataDir: left }))).to.have.property('name', 'JournalCorruptError');
  });

  it('cannot leave a hole in a closed journal: damage anywhere prevents a start', async () => {
    const { rows, server } = await start(folder);
    for (let _id = 1; _id <= 3; _id++) await rows.insertOne({ _id, text: 'never flushed one by one' });
    await server.close();
    const journal = await readFile(join(folder, 'journal'));
    journal[80] = (journal[80] ?? 0) ^ 1;
    await writeFile(join(folder, 'journal'), journal);
    expect(await rejection(startServer({ dataDir: folder }))).to.have.property('name', 'JournalCorruptError');
  });
});
