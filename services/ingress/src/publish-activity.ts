import { createActivity, INSTALLATION } from '@sluice/monitoring/activity';
import { bucketOf } from '@sluice/monitoring/histogram';
import { type HeartbeatDeps, startHeartbeat } from '@sluice/monitoring/replicas';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Redis } from 'ioredis';
import type { Observer } from './observe/observer.ts';

export interface ActivityPublisherDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Publishes the response times and the heartbeat of an ingress for the dashboard. */
export interface ActivityPublisher {
  /** Measures every response, then passes it to the observer. */
  listening(observer: Observer): Observer;
  /** Begins the heartbeat, with the reason of a closed gate. */
  beat(of: Pick<HeartbeatDeps, 'trouble' | 'ignoresProxy'>): void;
  stop(): Promise<void>;
}

const EVERY_MS = 1000;

export function createActivityPublisher({
  redis,
  keyspace,
  logger,
}: ActivityPublisherDeps): ActivityPublisher {
  const onError = (error: unknown) =>
    logger.warn({ event: 'activity.failed', err: error }, 'counters not written');
  const activity = createActivity({ redis, keyspace, onError });
  // A request increments one number. The counters are written once a second for all of them.
  const counts = new Map<number, number>();
  const hand = () => {
    for (const [bucket, count] of counts) activity.add(INSTALLATION, Date.now(), `ingress:${bucket}`, count);
    counts.clear();
  };
  const timer = setInterval(hand, EVERY_MS);
  timer.unref();
  const stops: (() => Promise<void>)[] = [];
  return {
    listening: (observer) => ({
      ...observer,
      onAnswer(answered) {
        const bucket = bucketOf(answered.durationMs);
        counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
        observer.onAnswer(answered);
      },
    }),
    beat(of) {
      stops.push(startHeartbeat({ redis, keyspace, kind: 'ingress', ...of }).stop);
    },
    async stop() {
      clearInterval(timer);
      hand();
      await Promise.all([activity.close(), ...stops.map((stop) => stop())]);
    },
  };
}
