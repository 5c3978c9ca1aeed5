import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Long } from 'bson';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { newFolder } from '../../support/folder.ts';
import { seededRandom } from '../../support/load.ts';
import { seed, sized } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import { startProcess, useProcesses } from '../support/process.ts';

const ROUNDS = sized({ short: 1, middle: 3 });

interface Row {
  _id: number;
  revision: number;
  text: string;
}

/** The state that a client knows: the last acknowledged revision of each document, and the revisions in flight. */
interface Known {
  readonly acknowledged: Map<number, number>;
  readonly attempted: Map<number, number>;
}

/** Writes from several clients until the server is killed, and records every acknowledged revision. */
async function writeUntilKilled(url: string, known: Known, documents: number): Promise<void> {
  const client = await new MongoClient(url, { serverSelectionTimeoutMS: 500 }).connect();
  const rows = client.db('t').collection<Row>('rows');
  const text = 'x'.repeat(2000);
  const writer = async (first: number): Promise<void> => {
    for (let _id = first; ; _id = (_id + 4) % documents) {
      const revision = (known.attempted.get(_id) ?? 0) + 1;
      known.attempted.set(_id, revision);
      await rows.updateOne({ _id }, { $set: { revision, text } }, { upsert: true });
      known.acknowledged.set(_id, revision);
    }
  };
  await Promise.allSettled([0, 1, 2, 3].map(writer));
  await client.close();
}

async function expectNothingLost(url: string, { acknowledged, attempted }: Known): Promise<void> {
  const client = await new MongoClient(url).connect();
  const found = new Map(
    (await client.db('t').collection<Row>('rows').find().toArray()).map((row) => [row._id, row.revision]),
  );
  await client.close();
  for (const [id, revision] of acknowledged) {
    expect(found.get(id), `document ${id}, SEED=${seed}`).to.be.within(
      revision,
      attempted.get(id) ?? revision,
    );
  }
}

/** Resolves once the clients have `count` acknowledgements. */
async function acknowledgements(known: Known, count: number): Promise<void> {
  const total = (): number => [...known.acknowledged.values()].reduce((sum, revision) => sum + revision, 0);
  await until(() => total() >= count, { what: `${count} writes are acknowledged` });
}

describe('embedded-mongodb: a process killed with SIGKILL', () => {
  const startToKill = useProcesses();

  it('loses no acknowledged write, killed again and again in the middle of writes', async () => {
    const folder = newFolder();
    const known: Known = { acknowledged: new Map(), attempted: new Map() };
    const random = seededRandom(seed);
    for (let round = 1; round <= ROUNDS; round++) {
      const server = await startToKill(folder);
      await expectNothingLost(server.url, known);
      const before = [...known.acknowledged.values()].reduce((sum, revision) => sum + revision, 0);
      const writing = writeUntilKilled(server.url, known, 50);
      await acknowledgements(known, before + 100 + Math.floor(random() * 400));
      await server.end('SIGKILL');
      await writing;
    }
    const server = await startToKill(folder);
    await expectNothingLost(server.url, known);
  });

  it('makes the journal small at its next start, and loses nothing if it is killed meanwhile', async () => {
    const folder = newFolder();
    const journal = join(folder, 'journal');
    const first = await startToKill(folder);
    const client = await new MongoClient(first.url).connect();
    const rows = client.db('t').collection<Row>('rows');
    await rows.createIndex({ revision: 1 });
    for (let revision = 1; revision <= 200; revision++) {
      await rows.bulkWrite(
        Array.from({ length: 20 }, (_, _id) => ({
          replaceOne: { filter: { _id }, replacement: { revision, text: 'x'.repeat(500) }, upsert: true },
        })),
      );
    }
    await client.close();
    await first.end('SIGKILL');
    expect((await stat(journal)).size).to.be.above(2_000_000);
    // As a process leaves it that is killed before the new journal takes the place of the old one.
    await writeFile(`${journal}.compacting`, 'EMDB');
    await (await startToKill(folder, '--compact-min-bytes', '100000')).end('SIGKILL');
    expect(await readdir(folder)).to.deep.equal(['journal', 'lock']);
    expect((await stat(journal)).size).to.be.below(20_000);
    const again = await startToKill(folder);
    const reader = await new MongoClient(again.url).connect();
    expect(await reader.db('t').collection('rows').countDocuments({ revision: 200 })).to.equal(20);
    expect((await reader.db('t').collection('rows').indexes()).map(({ name }) => name)).to.deep.equal([
      '_id_',
      'revision_1',
    ]);
    await reader.close();
  });

  it('collections, indexes, their options and the types of values survive', async () => {
    const folder = newFolder();
    const first = await startToKill(folder);
    const writer = await new MongoClient(first.url).connect();
    const db = writer.db('t');
    for (const name of ['emptied', 'gone']) await db.collection(name).insertOne({ n: 1 });
    await db.collection('emptied').deleteMany({});
    await db.dropCollection('gone');
    const kept = db.collection<{ _id: number; n?: unknown }>('kept');
    await kept.createIndex(
      { n: 1 },
      { unique: true, partialFilterExpression: { n: { $gt: 0 } }, name: 'partial' },
    );
    await kept.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await db.command({ collMod: 'kept', index: { keyPattern: { at: 1 }, expireAfterSeconds: 30 } });
    await kept.insertMany([
      { _id: 2, n: 1.5 },
      { _id: 1, n: Long.fromString('9007199254740993') },
      { _id: 3, n: 3 },
    ]);
    await kept.deleteOne({ _id: 3 });
    await first.end('SIGKILL');
    await writer.close();

    const second = await startToKill(folder);
    const reader = await new MongoClient(second.url).connect();
    const names = await reader.db('t').listCollections().toArray();
    expect(names.map(({ name }) => name).sort()).to.deep.equal(['emptied', 'kept']);
    const indexes = await reader.db('t').collection('kept').indexes();
    expect(indexes[1]).to.deep.include({
      name: 'partial',
      unique: true,
      partialFilterExpression: { n: { $gt: 0 } },
    });
    expect(indexes[2]).to.deep.include({ expireAfterSeconds: 30 });
    const rows = await reader.db('t').collection('kept').find().toArray();
    expect(rows.map((row) => [row._id, String(row.n)])).to.deep.equal([
      [2, '1.5'],
      [1, '9007199254740993'],
    ]);
    await reader.close();
  });

  it('a second process on the same folder is rejected, and takes over once the first is dead', async () => {
    const folder = newFolder();
    const first = await startToKill(folder);
    const refused = await startProcess(folder);
    expect(refused).to.have.property('code', 1);
    expect(String((refused as { log: unknown }).log)).to.include(`in use by process ${first.child.pid}`);
    const exited = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await exited;
    await startToKill(folder);
  });
});
