import { Double, Int32, Long } from 'bson';
import { expect } from 'chai';
import { expectRefusal, rejection, useDatabase } from '../support/database.ts';

/** Each case: its behaviour, the document before, the update, and the document after (all without `_id`). */
type Case = [name: string, before: object, update: object, after: object];

const CASES: Case[] = [
  ['$set adds and replaces', { a: 1 }, { $set: { a: 2, b: 3 } }, { a: 2, b: 3 }],
  ['$set below a missing field creates documents', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  [
    '$unset removes a field, and ignores a missing one',
    { a: 1, b: 2 },
    { $unset: { a: '', x: '', 'b.c': '' } },
    { b: 2 },
  ],
  [
    '$inc adds, and starts at zero',
    { a: 1 },
    { $inc: { a: 2, b: -1, 'c.d': 1 } },
    { a: 3, b: -1, c: { d: 1 } },
  ],
  [
    '$min and $max keep the smaller and the greater',
    { a: 5, b: 5 },
    { $min: { a: 3, c: 1 }, $max: { b: 9 } },
    { a: 3, b: 9, c: 1 },
  ],
  [
    '$setOnInsert does not change an existing document',
    { a: 1 },
    { $set: { b: 1 }, $setOnInsert: { c: 1 } },
    { a: 1, b: 1 },
  ],
  ['$push appends, and creates the array', { a: [1] }, { $push: { a: 2, b: 1 } }, { a: [1, 2], b: [1] }],
  [
    '$push $each with $slice keeps the last',
    { a: [1, 2] },
    { $push: { a: { $each: [3, 4], $slice: -3 } } },
    { a: [2, 3, 4] },
  ],
  [
    '$addToSet adds missing values',
    { a: [1] },
    { $addToSet: { a: { $each: [1, 2, 2] }, b: 'x' } },
    { a: [1, 2], b: ['x'] },
  ],
  ['$pull by value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  [
    '$pull of documents by some of their fields',
    { a: [{ x: 1, y: 1 }, { x: 2 }] },
    { $pull: { a: { x: 1 } } },
    { a: [{ x: 2 }] },
  ],
];

describe('embedded-mongodb: updates', () => {
  const database = useDatabase();

  for (const [name, before, update, after] of CASES) {
    it(name, async () => {
      const collection = database.collection();
      await collection.insertOne({ _id: 1, ...before });
      const { matchedCount } = await collection.updateOne({ _id: 1 }, update);
      expect(matchedCount).to.equal(1);
      expect(await collection.findOne({ _id: 1 })).to.deep.equal({ _id: 1, ...after });
    });
  }

  it('an update without a change counts as matched and not as modified', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 1, a: 1, list: [1] });
    const result = await collection.updateOne(
      { _id: 1 },
      { $set: { a: 1 }, $addToSet: { list: 1 }, $max: { b: 0 } },
    );
    expect(result).to.include({ matchedCount: 1, modifiedCount: 1 });
    const again = await collection.updateOne(
      { _id: 1 },
      { $set: { a: 1 }, $addToSet: { list: 1 }, $max: { b: 0 } },
    );
    expect(again).to.include({ matchedCount: 1, modifiedCount: 0 });
  });

  it('types of numbers stay the same, and $inc uses the wider one', async () => {
    const collection = database.collection();
    await collection.insertOne({
      _id: 1,
      int: new Int32(1),
      double: new Double(1),
      long: Long.fromNumber(1),
      max: new Int32(2147483647),
    });
    await collection.updateOne(
      { _id: 1 },
      { $inc: { int: new Int32(1), double: new Int32(1), long: new Int32(1), max: new Int32(1) } },
    );
    const [document] = await collection.find({}, { promoteValues: false }).toArray();
    expect(document?.int).to.deep.equal(new Int32(2));
    expect(document?.double).to.deep.equal(new Double(2));
    expect(String(document?.long)).to.equal('2');
    expect(document?.long).to.have.property('_bsontype', 'Long');
    expect(document?.max).to.have.property('_bsontype', 'Long');
  });

  it('a Long above 2^53 is incremented exactly', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 1, n: Long.fromString('9007199254740993') });
    await collection.updateOne({ _id: 1 }, { $inc: { n: 2 } });
    expect(String((await collection.findOne({ _id: 1 }))?.n)).to.equal('9007199254740995');
  });

  it('updateMany changes all, updateOne the first', async () => {
    const collection = database.collection();
    await collection.insertMany([1, 2, 3].map((n) => ({ _id: n, v: 1 })));
    expect(await collection.updateOne({ v: 1 }, { $inc: { v: 1 } })).to.include({
      matchedCount: 1,
      modifiedCount: 1,
    });
    expect(await collection.updateMany({ v: 1 }, { $set: { v: 9 } })).to.include({
      matchedCount: 2,
      modifiedCount: 2,
    });
    expect(await collection.countDocuments({ v: 9 })).to.equal(2);
  });

  it('a replacement keeps only the _id', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 1, a: 1, b: 2 });
    await collection.replaceOne({ _id: 1 }, { c: 3 });
    expect(await collection.findOne({})).to.deep.equal({ _id: 1, c: 3 });
  });

  const REFUSALS: [name: string, before: object, update: object, code: number][] = [
    ['changing the _id is rejected with ImmutableField', {}, { $set: { _id: 2 } }, 66],
    [
      'two operators on one path are rejected with ConflictingUpdateOperators',
      {},
      { $set: { a: 1 }, $inc: { a: 1 } },
      40,
    ],
    ['a path inside another one is a conflict', {}, { $set: { a: {} }, $inc: { 'a.b': 1 } }, 40],
    ['setting below a scalar is rejected with PathNotViable', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
    ['$inc of a string is rejected with TypeMismatch', { a: 'x' }, { $inc: { a: 1 } }, 14],
    ['$inc by a string is rejected with TypeMismatch', { a: 1 }, { $inc: { a: 'x' } }, 14],
    ['$push to a value that is not an array is rejected with BadValue', { a: 1 }, { $push: { a: 1 } }, 2],
  ];
  for (const [name, before, update, code] of REFUSALS) {
    it(`${name}, and the document stays unchanged`, async () => {
      const collection = database.collection();
      await collection.insertOne({ _id: 1, ...before });
      const error = await rejection(collection.updateOne({ _id: 1 }, update));
      expectRefusal(error, code);
      expect(await collection.findOne({ _id: 1 })).to.deep.equal({ _id: 1, ...before });
    });
  }
});
