import { NotConnectedError } from '@sluice/store/connection/mongo-away';
import { untilPrepared } from '@sluice/store/until-prepared';
import { expect } from 'chai';
import { recordingLogger } from '../support/silent-logger.ts';

const store = { opened: () => Promise.reject(new Error('MongoDB is away')) };

describe('store: prepare the database until it has worked', () => {
  it('tries again after each failure, and logs a reason once while it lasts', async () => {
    const { logger, records } = recordingLogger();
    const failures: Error[] = [new NotConnectedError(), new NotConnectedError(), new Error('a bug')];
    let tries = 0;
    const prepare = async () => {
      tries += 1;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };
    await untilPrepared({ store, logger, prepare, againMs: 1 });
    expect(tries).to.equal(4);
    expect(records.map(({ event }) => event)).to.deep.equal(['database.unprepared', 'database.unprepared']);
    expect(records[0]).to.include({ reason: 'not connected to MongoDB yet' });
    expect(records[1]).to.have.nested.property('err.message', 'a bug');
  });

  it('ends without success once the process stops', async () => {
    const { logger } = recordingLogger();
    let tries = 0;
    const prepare = async () => {
      tries += 1;
      throw new NotConnectedError();
    };
    await untilPrepared({ store, logger, prepare, isStopping: () => tries === 2, againMs: 1 });
    expect(tries).to.equal(2);
  });
});
