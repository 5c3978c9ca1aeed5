import { DUPLICATE_KEY, isNeverStorable, refusedWrites } from '@sluice/store/writing/write-errors';
import { expect } from 'chai';
import { mongo } from 'mongoose';

/** The driver's error for a bulk write with these errors in the response. */
function bulkError(
  writeErrors: readonly { index: number; code: number }[],
  concern?: { code: number; errmsg: string },
) {
  const result = { getWriteConcernError: () => concern };
  const errors = writeErrors.map(({ index, code }) => ({ index, code, errmsg: `E${code}` })) as never[];
  return new mongo.MongoBulkWriteError({ message: 'bulk', code: 0, writeErrors: errors }, result as never);
}

describe('store: errors of a bulk write', () => {
  it('name the individually refused operations', () => {
    const error = bulkError([
      { index: 3, code: DUPLICATE_KEY },
      { index: 5, code: 121 },
    ]);
    expect(refusedWrites(error)).to.deep.equal([
      { index: 3, code: DUPLICATE_KEY, message: 'E11000' },
      { index: 5, code: 121, message: 'E121' },
    ]);
  });

  it('are rethrown if durability was not confirmed, even if every operation has a result', () => {
    const error = bulkError([{ index: 0, code: DUPLICATE_KEY }], {
      code: 64,
      errmsg: 'replication timed out',
    });
    expect(() => refusedWrites(error)).to.throw(mongo.MongoBulkWriteError);
  });

  for (const error of [
    new mongo.MongoNetworkError('connection closed'),
    new mongo.MongoServerError({ message: 'not primary', code: 10107 }),
    bulkError([]),
    new TypeError('a bug'),
  ]) {
    it(`are rethrown for a ${error.name} (${error.message})`, () => {
      expect(() => refusedWrites(error)).to.throw(error.constructor as ErrorConstructor);
    });
  }

  it('distinguish documents that can never be stored from passing errors', () => {
    const never = [2, 121, 10334].map((code) => isNeverStorable({ index: 0, code, message: '' }));
    const passing = [DUPLICATE_KEY, 112, 189, 10107, 8, 91].map((code) =>
      isNeverStorable({ index: 0, code, message: '' }),
    );
    expect(never).to.deep.equal([true, true, true]);
    expect(passing.some((is) => is)).to.equal(false);
  });
});
