import { expect } from 'chai';
import type { Db } from 'mongodb';
import { rejection } from './support/database.ts';
import { useServers } from './support/server.ts';

/** A command and the code with which it is rejected. */
type Case = [name: string, command: Record<string, unknown>, code: number, codeName: string];

const match = (filter: object) => ({ find: 'c', filter });
const update = (u: unknown, options: object = {}) => ({ update: 'c', updates: [{ q: {}, u, ...options }] });
const pipeline = (...stages: object[]) => ({ aggregate: 'c', pipeline: stages, cursor: {} });

const CASES: Case[] = [
  ['an unknown command', { frobnicate: 1 }, 59, 'CommandNotFound'],
  ['an unknown field of a command', { find: 'c', fitler: {} }, 40415, 'IDLUnknownField'],
  ['a filter that is not a document', { find: 'c', filter: 5 }, 14, 'TypeMismatch'],
  ['an unknown query operator', match({ a: { $nearly: 1 } }), 2, 'BadValue'],
  ['an unknown top level operator', match({ $nearly: 1 }), 2, 'BadValue'],
  ['$where', match({ $where: 'true' }), 238, 'NotImplemented'],
  ['$text', match({ $text: { $search: 'x' } }), 238, 'NotImplemented'],
  ['$near', match({ a: { $near: [0, 0] } }), 238, 'NotImplemented'],
  ['$in without a list', match({ a: { $in: 5 } }), 2, 'BadValue'],
  ['an impossible regular expression', match({ a: { $regex: '(' } }), 2, 'BadValue'],
  ['a projection with both kinds', { find: 'c', projection: { a: 1, b: 0 } }, 2, 'BadValue'],
  ['$slice in a projection', { find: 'c', projection: { a: { $slice: 1 } } }, 238, 'NotImplemented'],
  ['a sort that is not a direction', { find: 'c', sort: { a: 3 } }, 2, 'BadValue'],
  ['a negative skip', { find: 'c', skip: -1 }, 2, 'BadValue'],
  ['a collation', { find: 'c', collation: { locale: 'de' } }, 238, 'NotImplemented'],
  ['a hint', { find: 'c', hint: 'a_1' }, 238, 'NotImplemented'],
  ['a transaction', { insert: 'c', documents: [{}], txnNumber: 1 }, 20, 'IllegalOperation'],
  ['an unknown stage', pipeline({ $frobnicate: 1 }), 40324, 'Location40324'],
  ['a stage with two names', pipeline({ $match: {}, $sort: { a: 1 } }), 40323, 'Location40323'],
  ['$lookup', pipeline({ $lookup: {} }), 238, 'NotImplemented'],
  ['$bucket', pipeline({ $bucket: { groupBy: '$n', boundaries: [0, 10] } }), 238, 'NotImplemented'],
  [
    '$bucket in a $facet',
    pipeline({ $facet: { a: [{ $bucket: { groupBy: '$n', boundaries: [0, 10] } }] } }),
    238,
    'NotImplemented',
  ],
  ['$out', pipeline({ $out: 'x' }), 238, 'NotImplemented'],
  [
    '$function',
    pipeline({ $project: { a: { $function: { body: '1', args: [], lang: 'js' } } } }),
    238,
    'NotImplemented',
  ],
  [
    '$dateTrunc in a group',
    pipeline({ $group: { _id: { $dateTrunc: { date: '$at', unit: 'day', timezone: 'America/New_York' } } } }),
    238,
    'NotImplemented',
  ],
  ['getMore of an unknown cursor', { getMore: 5, collection: 'c' }, 43, 'CursorNotFound'],
  ['listIndexes of a missing collection', { listIndexes: 'nothing' }, 26, 'NamespaceNotFound'],
  ['dropIndexes of a missing collection', { dropIndexes: 'nothing', index: '*' }, 26, 'NamespaceNotFound'],
  ['collMod of a missing collection', { collMod: 'nothing' }, 26, 'NamespaceNotFound'],
  ['dropping no index', { dropIndexes: 'c', index: 'nothing' }, 27, 'IndexNotFound'],
  ['dropping _id_', { dropIndexes: 'c', index: '_id_' }, 72, 'InvalidOptions'],
  ['creating an existing collection', { create: 'c' }, 48, 'NamespaceExists'],
  ['a capped collection', { create: 'd', capped: true, size: 1 }, 238, 'NotImplemented'],
  ['a name with a dollar', { create: 'a$b' }, 73, 'InvalidNamespace'],
  [
    'a text index',
    { createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 't' }] },
    238,
    'NotImplemented',
  ],
  [
    'an index with an unknown option',
    { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', uniq: true }] },
    72,
    'InvalidOptions',
  ],
  [
    'a TTL over two fields',
    { createIndexes: 'c', indexes: [{ key: { a: 1, b: 1 }, name: 'a', expireAfterSeconds: 1 }] },
    67,
    'CannotCreateIndex',
  ],
  [
    'an index without a key',
    { createIndexes: 'c', indexes: [{ key: {}, name: 'a' }] },
    67,
    'CannotCreateIndex',
  ],
  ['explaining an aggregate', { explain: { aggregate: 'c', pipeline: [] } }, 238, 'NotImplemented'],
];

const WRITE_CASES: [name: string, command: Record<string, unknown>, code: number][] = [
  ['a pipeline as an update', update([{ $set: { a: 1 } }]), 238],
  ['a positional path', update({ $set: { 'a.$': 1 } }), 238],
  ['array filters', update({ $set: { 'a.$[x]': 1 } }, { arrayFilters: [{ x: 1 }] }), 238],
  ['$bit', update({ $bit: { a: { and: 1 } } }), 238],
  ['an unknown modifier', update({ $frobnicate: { a: 1 } }), 9],
  ['an empty part of a path', update({ $set: { 'a..b': 1 } }), 56],
  ['replacing many', update({ a: 1 }, { multi: true }), 9],
  ['a replacement with an operator inside', update({ a: 1, $set: { b: 1 } }), 52],
  ['an array as _id', { insert: 'c', documents: [{ _id: [1] }] }, 2],
];

describe('embedded-mongodb: rejects unsupported features by name', () => {
  const start = useServers();

  async function withCollection(): Promise<Db> {
    const { client } = await start();
    await client
      .db('t')
      .collection('c')
      .insertOne({ a: [1, 2] });
    return client.db('t');
  }

  for (const [name, command, code, codeName] of CASES) {
    it(`${name}: ${code} ${codeName}`, async () => {
      const error = await rejection((await withCollection()).command(command));
      expect({ code: error.code, codeName: error.codeName }).to.deep.equal({ code, codeName });
      expect(error.message).to.have.length.above(5);
    });
  }

  for (const [name, command, code] of WRITE_CASES) {
    it(`${name}: a write error ${code}`, async () => {
      const answer = await (await withCollection()).command(command);
      expect(answer.writeErrors?.[0]).to.include({ index: 0, code });
    });
  }

  it('counting nothing in a pipeline returns no document, as in the manual of $count', async () => {
    const collection = (await withCollection()).collection('c');
    expect(await collection.aggregate([{ $match: { n: 99 } }, { $count: 'n' }]).toArray()).to.deep.equal([]);
  });

  it('indexes can be dropped by name, by key and all except _id at once', async () => {
    const db = await withCollection();
    const collection = db.collection('c');
    for (const field of ['b', 'd', 'e', 'f']) await collection.createIndex({ [field]: 1 });
    await collection.dropIndex('b_1');
    await db.command({ dropIndexes: 'c', index: { d: 1 } });
    expect((await collection.indexes()).map(({ name }) => name)).to.deep.equal(['_id_', 'e_1', 'f_1']);
    await collection.dropIndexes();
    expect((await collection.indexes()).map(({ name }) => name)).to.deep.equal(['_id_']);
  });

  it('E11000 names the index and the key', async () => {
    const collection = (await withCollection()).collection<{ _id: string; v?: number | string }>('keys');
    await collection.createIndex({ v: 1 }, { unique: true });
    await collection.insertOne({ _id: 'x', v: 5 });
    const byId = await rejection(collection.insertOne({ _id: 'x', v: 6 }));
    expect(byId.message).to.equal(
      'E11000 duplicate key error collection: t.keys index: _id_ dup key: { _id: "x" }',
    );
    expect(byId).to.deep.include({ keyPattern: { _id: 1 }, keyValue: { _id: 'x' } });
    const byValue = await rejection(collection.insertOne({ _id: 'y', v: 5 }));
    expect(byValue.message).to.equal(
      'E11000 duplicate key error collection: t.keys index: v_1 dup key: { v: 5 }',
    );
    expect(byValue).to.deep.include({ keyPattern: { v: 1 }, keyValue: { v: 5 } });
  });

  it('a document over 16 MiB is rejected, one just below is stored', async () => {
    const collection = (await withCollection()).collection<{ _id: number; text: string }>('big');
    await collection.insertOne({ _id: 1, text: 'x'.repeat(16 * 1024 * 1024 - 100) });
    const error = await rejection(collection.updateOne({ _id: 1 }, { $set: { more: 'y'.repeat(200) } }));
    expect(error.code).to.equal(10334);
    expect((await collection.findOne({ _id: 1 }))?.text).to.have.length(16 * 1024 * 1024 - 100);
  });

  it('a document nested too deep is rejected, and the connection stays open', async () => {
    const db = await withCollection();
    let nested: object = {};
    for (let i = 0; i < 300; i++) nested = { n: nested };
    const error = await rejection(db.collection('c').insertOne({ nested }));
    expect(error.code).to.equal(15);
    expect(await db.command({ ping: 1 })).to.deep.include({ ok: 1 });
  });
});
