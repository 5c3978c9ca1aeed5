import { countUpTo } from '@sluice/store/reading/count-up-to';
import { expect } from 'chai';
import { mongo } from 'mongoose';

describe('a count up to a limit', () => {
  const failing = (code: number) => ({
    countDocuments: () => Promise.reject(new mongo.MongoServerError({ message: 'failed', code })),
  });

  it('is the limit if the server takes too long', async () => {
    expect(await countUpTo(failing(50), {}, 2001)).to.equal(2001);
  });

  it('fails with any other error of the server', async () => {
    const error = await countUpTo(failing(11600), {}, 2001).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 11600);
  });
});
