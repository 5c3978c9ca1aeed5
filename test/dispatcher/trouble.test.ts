import { type DispatcherState, troubleOf } from '@sluice/dispatcher/trouble';
import { watchMongo } from '@sluice/dispatcher/watch-mongo';
import { expect } from 'chai';
import { until } from '../support/until.ts';

const WELL: DispatcherState = {
  ...{ prepared: true, taking: true, stopping: false },
  ...{ isMongoAway: false, isLogFailing: false, isKeyUnknown: false, areClaimsFailing: false },
};

describe('dispatcher: why it cannot take turns', () => {
  const cases: [string, Partial<DispatcherState>, string | null][] = [
    ['nothing', {}, null],
    [
      'a start without MongoDB',
      { prepared: false, taking: false, isMongoAway: true },
      'MongoDB is not available',
    ],
    ['a migration', { prepared: false, taking: false }, 'the database is not prepared yet'],
    [
      'an unknown key',
      { taking: false, isKeyUnknown: true },
      'its SLUICE_SECRET_KEY opens no signing secret',
    ],
    ['a start without Redis', { taking: false }, 'not taking turns yet'],
    ['MongoDB away later', { isMongoAway: true, areClaimsFailing: true }, 'MongoDB is not available'],
    [
      'a log that MongoDB refuses',
      { isLogFailing: true, areClaimsFailing: true },
      'MongoDB does not store its log of messages',
    ],
    ['failing claims', { areClaimsFailing: true }, 'Redis does not let it take turns'],
    ['a stop', { stopping: true, isMongoAway: true }, 'stopping'],
  ];
  for (const [name, state, trouble] of cases)
    it(`names ${name}`, () => expect(troubleOf({ ...WELL, ...state })).to.equal(trouble));
});

describe('dispatcher: the watch of MongoDB', () => {
  it('notices a server that rejects pings, and one that does not answer, and sends a slow one no second ping', async () => {
    let answer: (() => Promise<void>) | undefined = async () => {};
    let pings = 0;
    let release = () => {};
    const frozen = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    const ping = () => {
      pings += 1;
      return (answer ?? frozen)();
    };
    const watch = watchMongo(ping, 5);
    try {
      await until(() => pings > 1);
      expect(watch.isAway()).to.equal(false);
      answer = () => Promise.reject(new Error('away'));
      await until(() => watch.isAway());
      answer = async () => {};
      await until(() => !watch.isAway());
      answer = undefined;
      const before = pings;
      await until(() => watch.isAway(), { what: 'a frozen server counts as away' });
      // It counts as away after a second. The interval would have sent 200 pings meanwhile.
      expect(pings - before).to.equal(1);
      answer = async () => {};
      release();
      await until(() => !watch.isAway());
    } finally {
      watch.stop();
    }
  });
});
