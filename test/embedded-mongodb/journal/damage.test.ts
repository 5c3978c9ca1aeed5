import { appendFile, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from '@sluice/embedded-mongodb/server';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { useFolder } from '../../support/folder.ts';

describe('embedded-mongodb: a damaged journal', () => {
  const folder = useFolder();
  let path = '';
  const messages: string[] = [];

  beforeEach(() => {
    path = join(folder(), 'journal');
    messages.length = 0;
  });

  /** Runs a server in the folder during the work. */
  async function withServer<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
    const log = (message: string) => messages.push(message);
    const server = await startServer({ dataDir: folder(), log });
    const client = await new MongoClient(server.url).connect();
    try {
      return await work(client);
    } finally {
      await client.close();
      await server.close();
    }
  }

  const insert = (from: number, to: number) =>
    withServer(async (client) => {
      for (let n = from; n < to; n++)
        await client
          .db('t')
          .collection<{ _id: number; text: string }>('c')
          .insertOne({ _id: n, text: `text ${n}` });
    });
  const ids = () =>
    withServer(async (client) =>
      (await client.db('t').collection('c').find().toArray()).map(({ _id }) => Number(_id)),
    );

  it('cut anywhere in its last record loses only that record, and continues', async () => {
    await insert(0, 5);
    const before = (await stat(path)).size;
    await insert(5, 6);
    const whole = await readFile(path);
    for (let size = before + 1; size < whole.length; size += 7) {
      await writeFile(path, whole.subarray(0, size));
      expect(await ids()).to.deep.equal([0, 1, 2, 3, 4]);
      expect(messages.join()).to.include(`Cut off ${size - before} bytes`);
      messages.length = 0;
    }
    await insert(5, 7);
    expect(await ids()).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
  });

  it('with garbage or zeros at its end continues without them', async () => {
    await insert(0, 3);
    for (const rubbish of [Buffer.alloc(5000), Buffer.from('rubbish'.repeat(100)), Buffer.of(1)]) {
      await appendFile(path, rubbish);
      expect(await ids()).to.deep.equal([0, 1, 2]);
      expect(messages.join()).to.include(`Cut off ${rubbish.length} bytes`);
      messages.length = 0;
    }
  });

  it('with any wrong byte in the middle is rejected', async () => {
    await insert(0, 5);
    const whole = await readFile(path);
    const lastRecord = whole.length - 40;
    for (let at = 0; at < lastRecord - 20; at += 11) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
      await writeFile(path, damaged);
      let refusal: unknown;
      await ids().catch((error: unknown) => {
        refusal = error;
      });
      expect(refusal, `byte ${at}`).to.have.property('name', 'JournalCorruptError');
    }
    await writeFile(path, whole);
    expect(await ids()).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('a rejected start keeps the journal and leaves no lock', async () => {
    await insert(0, 3);
    const file = await open(path, 'r+');
    await file.write(Buffer.from('!'), 0, 1, 40);
    await file.close();
    const before = await readFile(path);
    for (let attempt = 0; attempt < 2; attempt++) {
      let message = '';
      await ids().catch((error: Error) => {
        message = error.message;
      });
      expect(message).to.match(/damaged at byte \d+ .*refusing to start/);
    }
    expect((await readFile(path)).equals(before)).to.equal(true);
  });

  it('an empty or incomplete header makes a new journal', async () => {
    for (const size of [0, 3]) {
      await rm(path, { force: true });
      await insert(0, 1);
      await truncate(path, size);
      expect(await ids()).to.deep.equal([]);
    }
  });
});
