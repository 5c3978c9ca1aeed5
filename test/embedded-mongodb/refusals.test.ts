import { expect } from 'chai';
import type { Db } from 'mongodb';
import { rejection } from './support/database.ts';
import { useServers } from './support/server.ts';

const match = (filter: object) => ({ find: 'c', filter });
const update = (u: unknown, options: object = {}) => ({ update: 'c', updates: [{ q: {}, u, ...options }] });
const pipeline = (...stages: object[]) => ({ aggregate: 'c', pipeline: stages, cursor: {} });
const index = (options: object) => ({
  createIndexes: 'c',
  indexes: [{ key: { a: 1 }, name: 'a', ...options }],
});

/** A command, the code with which it is rejected, and what the message says. */
const CASES: [name: string, command: Record<string, unknown>, code: number, message: RegExp][] = [
  ['an unknown command', { frobnicate: 1 }, 59, /frobnicate/],
  ['an unknown field of a command', { find: 'c', hint: 'a_1' }, 40415, /find\.hint/],
  ['a filter that is not a document', { find: 'c', filter: 5 }, 14, /filter/],
  ['an unknown query operator', match({ a: { $elemMatch: { b: 1 } } }), 2, /\$elemMatch.*only \$and/],
  ['$in without a list', match({ a: { $in: 5 } }), 2, /\$in/],
  ['$type of a number', match({ a: { $type: 'int' } }), 238, /"int"/],
  ['an impossible regular expression', match({ a: { $regex: '(' } }), 2, /invalid/],
  ['a projection with both kinds', { find: 'c', projection: { a: 1, b: 0 } }, 2, /on field b/],
  ['$slice in a projection', { find: 'c', projection: { a: { $slice: 1 } } }, 238, /\$slice/],
  ['a sort that is not a direction', { find: 'c', sort: { a: 3 } }, 2, /for a/],
  ['a negative skip', { find: 'c', skip: -1 }, 2, /skip/],
  ['an unknown stage', pipeline({ $lookup: {} }), 40324, /\$lookup.*has \$match/],
  ['a pipeline without a group', pipeline({ $match: {} }), 238, /of \$match/],
  ['an unknown accumulator', pipeline({ $group: { _id: null, a: { $avg: '$a' } } }), 238, /'a'/],
  ['an expression', pipeline({ $group: { _id: { $year: '$at' } } }), 238, /\$year/],
  ['getMore of an unknown cursor', { getMore: 5, collection: 'c' }, 43, /5/],
  ['listIndexes of a missing collection', { listIndexes: 'nothing' }, 26, /nothing/],
  ['dropping no index', { dropIndexes: 'c', index: 'nothing' }, 27, /nothing/],
  ['dropping _id_', { dropIndexes: 'c', index: '_id_' }, 72, /_id/],
  ['another change of an index', { collMod: 'c', index: { name: 'a', hidden: true } }, 238, /collMod/],
  ['a name with a dollar', { insert: 'a$b', documents: [{}] }, 73, /a\$b/],
  ['a text index', index({ key: { a: 'text' } }), 67, /numbers/],
  ['an index with an unknown option', index({ sparse: true }), 72, /'sparse'/],
  ['a TTL over two fields', index({ key: { a: 1, b: 1 }, expireAfterSeconds: 1 }), 67, /single-field/],
  ['an index without a key', index({ key: {} }), 67, /empty/],
  ['explaining an aggregate', { explain: { aggregate: 'c', pipeline: [] } }, 238, /find/],
];
const WRITE_CASES: [name: string, command: Record<string, unknown>, code: number][] = [
  ['a pipeline as an update', update([{ $set: { a: 1 } }]), 238],
  ['a positional path', update({ $set: { 'a.$': 1 } }), 238],
  ['an option of an update', update({ $set: { 'a.$[x]': 1 } }, { arrayFilters: [{ x: 1 }] }), 40415],
  ['an option of a delete', { delete: 'c', deletes: [{ q: {}, limit: 1, hint: 'a' }] }, 40415],
  ['a modifier inside $push', update({ $push: { a: { $each: [1], $sort: 1 } } }), 2],
  ['an empty part of a path', update({ $set: { 'a..b': 1 } }), 56],
  ['replacing many', update({ a: 1 }, { multi: true }), 9],
  ['a replacement with an operator inside', update({ a: 1, $set: { b: 1 } }), 52],
  ['an array as _id', { insert: 'c', documents: [{ _id: [1] }] }, 2],
];

describe('embedded-mongodb: rejects unsupported features by name', () => {
  const start = useServers();
  let db: Db;
  before(async () => {
    db = (await start()).client.db('t');
    await db.collection('c').insertOne({ a: [1, 2] });
  });

  for (const [name, command, code, message] of CASES) {
    it(`${name}: ${code}`, async () => {
      const error = await rejection(db.command(command));
      expect(error.code).to.equal(code);
      expect(error.message).to.match(message);
    });
  }

  for (const [name, command, code] of WRITE_CASES) {
    it(`${name}: a write error ${code}`, async () => {
      const answer = await db.command(command);
      expect(answer.writeErrors?.[0]).to.include({ index: 0, code });
    });
  }

  it('E11000 names the index and the key', async () => {
    const collection = db.collection<{ _id: string; v?: number | string }>('keys');
    await collection.createIndex({ v: 1 }, { unique: true });
    await collection.insertOne({ _id: 'x', v: 5 });
    const byId = await rejection(collection.insertOne({ _id: 'x', v: 6 }));
    expect(byId.message).to.equal(
      'E11000 duplicate key error collection: t.keys index: _id_ dup key: { _id: "x" }',
    );
    expect(byId).to.deep.include({ keyPattern: { _id: 1 }, keyValue: { _id: 'x' } });
    const byValue = await rejection(collection.insertOne({ _id: 'y', v: 5 }));
    expect(byValue.message).to.include('index: v_1 dup key: { v: 5 }');
  });

  it('a document nested too deep is rejected, and the connection stays open', async () => {
    let nested: object = {};
    for (let i = 0; i < 300; i++) nested = { n: nested };
    const error = await rejection(db.collection('c').insertOne({ nested }));
    expect(error.code).to.equal(15);
    expect(await db.command({ ping: 1 })).to.deep.include({ ok: 1 });
  });
});
