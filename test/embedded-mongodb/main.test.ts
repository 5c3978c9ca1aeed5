import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { type Collection, MongoClient } from 'mongodb';
import { newFolder } from '../support/folder.ts';
import { startProcess, useProcesses } from './support/process.ts';

interface Row {
  _id: number;
  text: string;
}

/** The size of a row's text, in bytes. */
const SIZE = 4_000;
const BATCH = 500;

/** Inserts rows until one is rejected. Returns how many are stored. */
async function fill(rows: Collection<Row>): Promise<number> {
  for (let from = 0; ; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => ({ _id: from + i, text: 'a'.repeat(SIZE) }));
    try {
      await rows.insertMany(batch);
    } catch (error) {
      expect(error).to.include({ code: 14031 });
      return rows.countDocuments();
    }
  }
}

describe('embedded-mongodb: the process', () => {
  const startToKill = useProcesses();

  it('exits with code 1 and a message if its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const refused = await startProcess(newFolder(), '--port', String(port));
    taken.close();
    expect(refused).to.have.property('code', 1);
    expect(String(refused.log)).to.match(/EADDRINUSE/);
  });

  it('rejects an invalid option value, and names the option', async () => {
    const refused = await startProcess(newFolder(), '--port', 'abc');
    expect(refused).to.have.property('code', 1);
    expect(String(refused.log)).to.match(/--port must be a whole number .*'abc'/);
  });

  it('rejects inserts before its heap is full, and still updates existing documents', async () => {
    const store = await startToKill(newFolder(), '--max-old-space-size=80');
    const client = await new MongoClient(store.url).connect();
    try {
      const rows = client.db('t').collection<Row>('rows');
      const stored = await fill(rows);
      // More data than the heap can contain, so replaced data must be freed.
      for (const letter of ['b', 'c']) {
        const { modifiedCount } = await rows.updateMany({}, { $set: { text: letter.repeat(SIZE) } });
        expect(modifiedCount).to.equal(stored);
      }
      expect(await rows.countDocuments({ text: 'c'.repeat(SIZE) })).to.equal(stored);
    } finally {
      await client.close();
    }
  });
});
