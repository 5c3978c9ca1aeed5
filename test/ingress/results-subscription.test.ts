import { EventEmitter, once } from 'node:events';
import { createResults, type Results } from '@sluice/ingress/results/results';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { type Redis, ReplyError } from 'ioredis';
import { recordingLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

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

  disconnect(again = false): void {
    this.status = 'close';
    this.emit('close');
    if (again) setImmediate(() => this.connected());
  }

  connected(): void {
    this.status = 'ready';
    this.emit('ready');
  }
}

describe('ingress: the subscription to results', () => {
  const keyspace = createKeyspace('fake');
  let results: Results | undefined;
  let records: Record<string, unknown>[];
  afterEach(() => results?.close());

  const subscribe = (subscriber: FakeSubscriber, confirmEveryMs: number): void => {
    const redis = subscriber as unknown as Redis;
    const recording = recordingLogger();
    ({ records } = recording);
    results = createResults({
      ...{ subscriber: redis, keyspace, ingressId: 'one', confirmEveryMs },
      logger: recording.logger,
    });
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
    subscriber.connected();
    expect(subscriber.sentAt).to.have.length(2);
    expect(records).to.deep.equal([]);
  });

  it('logs a rejection by Redis once, with the remedy, and its end', async () => {
    let isAllowed = false;
    const subscriber = new FakeSubscriber(async () => {
      if (!isAllowed) throw new ReplyError('NOPERM No permissions to access a channel');
    });
    subscribe(subscriber, 60_000);
    while (subscriber.sentAt.length < 3) await once(subscriber, 'sent');
    isAllowed = true;
    await until(() => records.length > 1, { what: 'the end is logged' });
    const [refused, accepted, ...others] = records;
    expect(refused).to.include({ event: 'results.refused', level: 40 });
    expect(refused?.reason).to.equal('NOPERM No permissions to access a channel');
    expect(refused?.advice).to.contain('"&*"');
    expect(accepted).to.include({ event: 'results.accepted' });
    expect(others).to.deep.equal([]);
  });
});
