import { Double, Int32, Long, ObjectId } from 'bson';

/** Each case: its behaviour, the documents by `_id`, the filter, and the `_id`s that must be found. */
type Case = [name: string, documents: Record<string, unknown>, filter: object, found: string[]];

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const id = new ObjectId();

export const QUERY_CASES: Case[] = [
  [
    'null equality finds null and missing fields',
    { a: { v: null }, b: {}, c: { v: 0 } },
    { v: null },
    ['a', 'b'],
  ],
  [
    '$in with null finds missing fields too',
    { a: { v: null }, b: {}, c: { v: 1 }, d: { v: 2 } },
    { v: { $in: [null, 1] } },
    ['a', 'b', 'c'],
  ],
  [
    '$ne null finds only existing fields',
    { a: { v: null }, b: {}, c: { v: 0 } },
    { v: { $ne: null } },
    ['c'],
  ],
  ['equality looks into arrays', { a: { v: [1, 2] }, b: { v: 2 }, c: { v: [3] } }, { v: 2 }, ['a', 'b']],
  [
    '$ne is the opposite of equality, for arrays too',
    { a: { v: [1, 2] }, b: { v: 3 }, c: {} },
    { v: { $ne: 1 } },
    ['b', 'c'],
  ],
  [
    '$nin with null leaves missing fields out',
    { a: { v: 1 }, b: {}, c: { v: null } },
    { v: { $nin: [null] } },
    ['a'],
  ],
  [
    'numbers are equal across their types',
    { a: { v: new Int32(5) }, b: { v: new Double(5) }, c: { v: Long.fromNumber(5) }, d: { v: '5' } },
    { v: 5 },
    ['a', 'b', 'c'],
  ],
  [
    'comparison matches only one kind of value',
    { a: { v: 5 }, b: { v: '5' }, c: { v: day(1) }, d: {}, e: { v: null } },
    { v: { $gt: 1 } },
    ['a'],
  ],
  [
    '$gte null finds null and missing',
    { a: { v: null }, b: {}, c: { v: 1 } },
    { v: { $gte: null } },
    ['a', 'b'],
  ],
  [
    'dates compare by instant',
    { a: { v: day(1) }, b: { v: day(2) }, c: { v: day(3) } },
    { v: { $gt: day(1), $lte: day(2) } },
    ['b'],
  ],
  [
    'two elements of an array may satisfy two bounds',
    { a: { v: [1, 9] }, b: { v: [5] }, c: { v: [1] } },
    { v: { $gt: 4, $lt: 6 } },
    ['a', 'b'],
  ],
  [
    'dotted null finds missing fields',
    { a: { v: { x: null } }, b: { v: {} }, c: {}, d: { v: 4 }, e: { v: { x: 1 } } },
    { 'v.x': null },
    ['a', 'b', 'c', 'd'],
  ],
  ['$exists true counts null', { a: { v: null }, b: {}, c: { v: [] } }, { v: { $exists: true } }, ['a', 'c']],
  ['$exists false', { a: { v: null }, b: {} }, { v: { $exists: false } }, ['b']],
  ['$type looks into arrays', { a: { v: ['x'] }, b: { v: 1 } }, { v: { $type: 'string' } }, ['a']],
  [
    'a regular expression finds strings',
    { a: { v: 'Sluice' }, b: { v: 'gate' }, c: { v: 1 }, d: { v: ['slow', 'Sluiced'] } },
    { v: /^slu/i },
    ['a', 'd'],
  ],
  [
    '$regex with $options',
    { a: { v: 'Sluice' }, b: { v: 'gate' } },
    { v: { $regex: '^slu', $options: 'i' } },
    ['a'],
  ],
  [
    '$or, $and',
    { a: { v: 1 }, b: { v: 2 }, c: { v: 3 } },
    { $and: [{ $or: [{ v: 1 }, { v: 2 }] }, { v: { $ne: 1 } }] },
    ['b'],
  ],
  ['booleans are not numbers', { a: { v: true }, b: { v: 1 } }, { v: true }, ['a']],
  [
    'ObjectIds are equal by value',
    { a: { v: id }, b: { v: id.toHexString() } },
    { v: new ObjectId(id.toHexString()) },
    ['a'],
  ],
  [
    'strings compare byte by byte',
    { a: { v: 'B' }, b: { v: 'a' }, c: { v: 'é' } },
    { v: { $gte: 'a' } },
    ['b', 'c'],
  ],
  [
    'a field inherited in JavaScript is not a field',
    { a: {}, b: { constructor: 1 } },
    { constructor: { $exists: true } },
    ['b'],
  ],
];
