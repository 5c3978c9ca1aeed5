import { EventEmitter, once } from 'node:events';
import { createResults, type Results } from '@sluice/ingress/results/results';
import { createKeyspace } from '@sluice/shards/keyspace';
import { expect } from 'chai';
import type { Redis } from 'ioredis';

/** A connection that responds to a subscription as `respond` does. */
class FakeSubscriber extends EventEmitter {
  status = 'ready';
  /** When each subscription was sent. */
  readonly sentAt: number[] = [];
  private readonly respond: () => Promise<unknown>;

  constructor(respond: () => Promise<unknown>) {
    super();
    this.respond = respond;
  }

  subscribe(): Promise<unknown> {
    this.sentAt.push(performance.now());
    this.emit('sent');
    return this.respond();
  }

  disconnect(): void {
    this.status = 'close';
    this.emit('close');
  }
}

describe('ingress: the subscription to results', () => {
  const keyspace = createKeyspace('fake');
  let results: Results | undefined;
  afterEach(() => results?.close());

  const subscribe = (subscriber: FakeSubscriber, confirmEveryMs: number): void => {
    const redis = subscriber as unknown as Redis;
    results = createResults({ subscriber: redis, keyspace, ingressId: 'one', confirmEveryMs });
  };

  it('is retried by one timer while Redis rejects it', async () => {
    const subscriber = new FakeSubscriber(async () => {
      throw new Error('NOPERM No permissions to access a channel');
    });
    subscribe(subscriber, 20);
    while (subscriber.sentAt.length < 4) await once(subscriber, 'sent');
    const gaps = subscriber.sentAt.slice(1).map((at, n) => at - (subscriber.sentAt[n] ?? 0));
    expect(Math.min(...gaps)).to.be.above(200);
  });

  it('is sent at once on the next connection, also while a retry waits', async () => {
    const subscriber = new FakeSubscriber(async () => {
      throw new Error('Connection is closed.');
    });
    subscribe(subscriber, 60_000);
    await new Promise(setImmediate);
    subscriber.disconnect();
    subscriber.status = 'ready';
    subscriber.emit('ready');
    expect(subscriber.sentAt).to.have.length(2);
  });

  it('has a whole interval for its response before its connection is cut', async () => {
    const everyMs = 200;
    const subscriber = new FakeSubscriber(() => new Promise(() => undefined));
    subscriber.status = 'connecting';
    // Timers of the same length fire in the order of their start: this one just before the first confirmation.
    setTimeout(() => {
      subscriber.status = 'ready';
      subscriber.emit('ready');
    }, everyMs);
    subscribe(subscriber, everyMs);
    await once(subscriber, 'close');
    expect(performance.now() - (subscriber.sentAt[0] ?? 0)).to.be.above(everyMs - 10);
  });
});
