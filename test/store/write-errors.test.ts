import { DUPLICATE_KEY, isNeverStorable, refusedWrites } from '@sluice/store/write-errors';
import { expect } from 'chai';
import { mongo } from 'mongoose';

/** What the driver throws when a server answers a bulk write so. */
function bulkError(
  writeErrors: readonly { index: number; code: number }[],
  concern?: { code: number; errmsg: string },
) {
  const result = { getWriteConcernError: () => concern };
  const errors = writeErrors.map(({ index, code }) => ({ index, code, errmsg: `E${code}` })) as never[];
  return new mongo.MongoBulkWriteError({ message: 'bulk', code: 0, writeErrors: errors }, result as never);
}

describe('what an error of a bulk write says', () => {
  it('names the operations that were refused one by one', () => {
    const error = bulkError([
      { index: 3, code: DUPLICATE_KEY },
      { index: 5, code: 121 },
    ]);
    expect(refusedWrites(error)).to.deep.equal([
      { index: 3, code: DUPLICATE_KEY, message: 'E11000' },
      { index: 5, code: 121, message: 'E121' },
    ]);
  });

  it('is thrown on when durability was not confirmed, even where each operation has an answer', () => {
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
    it(`is thrown on when it is a ${error.name} (${error.message})`, () => {
      expect(() => refusedWrites(error)).to.throw(error.constructor as ErrorConstructor);
    });
  }

  it('tells what can never be stored from what may pass', () => {
    const never = [2, 121, 10334].map((code) => isNeverStorable({ index: 0, code, message: '' }));
    const passing = [DUPLICATE_KEY, 112, 189, 10107, 8, 91].map((code) =>
      isNeverStorable({ index: 0, code, message: '' }),
    );
    expect(never).to.deep.equal([true, true, true]);
    expect(passing.some((is) => is)).to.equal(false);
  });
});
