import { NotConnectedError } from '@sluice/store/connection/mongo-away';
import { untilPrepared } from '@sluice/store/until-prepared';
import { expect } from 'chai';
import { recordingLogger } from '../support/silent-logger.ts';

const store = { opened: () => Promise.reject(new Error('MongoDB is away')) };

describe('store: prepare the database until it has worked', () => {
  it('tries again after each failure, and logs a reason once while it lasts: an outage as a warning, a bug as an error', async () => {
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
    const { warn, error } = logger.levels.values;
    expect(records[0]).to.include({ level: warn, reason: 'not connected to MongoDB yet' });
    expect(records[1]).to.include({ level: error }).and.have.nested.property('err.message', 'a bug');
  });

  it('logs each reason again every 30 seconds, also while two alternate', async () => {
    const { logger, records } = recordingLogger();
    const loggedAt: unknown[] = [];
    let seconds = 0;
    const prepare = async () => {
      seconds += 5;
      if (seconds > 75) return;
      throw new Error(`bug ${seconds % 2}`);
    };
    await untilPrepared({
      ...{ store, prepare, againMs: 1, now: () => seconds * 1000 },
      logger: {
        warn: logger.warn.bind(logger),
        error(fields, message) {
          loggedAt.push(seconds);
          logger.error(fields, message);
        },
      },
    });
    expect(loggedAt).to.deep.equal([5, 10, 35, 40, 65, 70]);
    expect(records[2]).to.have.nested.property('err.message', 'bug 1');
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
