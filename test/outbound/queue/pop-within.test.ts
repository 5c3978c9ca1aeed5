import { popWithin } from '@sluice/outbound/queue/pop-within';
import { expect } from 'chai';

/** A Redis whose clock was set back by an hour while it waits: it responds an hour later. */
function waiting() {
  const asked: unknown[] = [];
  let end: (error: Error) => void = () => {};
  return {
    asked,
    fail: (error: Error) => end(error),
    blpop: (...args: unknown[]) => {
      asked.push(args);
      return new Promise<never>((_resolve, reject) => {
        end = reject;
      });
    },
    disconnect(again?: boolean) {
      asked.push(`disconnect ${again}`);
      end(new Error('Connection is closed.'));
    },
  };
}

describe('outbound: a wait for work', () => {
  it('ends on a new connection if the clock of Redis was set back meanwhile', async () => {
    const redis = waiting();
    await popWithin(redis as never, 'key', 10);
    expect(redis.asked).to.deep.equal([['key', 0.01], 'disconnect true']);
  });

  it('reports that Redis is away', async () => {
    const redis = waiting();
    const ended = popWithin(redis as never, 'key', 10).catch((error: Error) => error.message);
    redis.fail(new Error('away'));
    expect(await ended).to.equal('away');
    expect(redis.asked).to.have.length(1);
  });
});
