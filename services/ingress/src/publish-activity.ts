import { createActivity, INSTALLATION } from '@sluice/activity/activity';
import { bucketOf } from '@sluice/activity/histogram';
import { type HeartbeatDeps, startHeartbeat } from '@sluice/activity/replicas';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';
import type { Observer } from './observe.ts';

export interface ActivityPublisherDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What the dashboard shows of an ingress: how fast it answers, and that it is there. */
export interface ActivityPublisher {
  /** Measures every answer on its way to the observer. */
  listening(observer: Observer): Observer;
  /** Says from now on that it is there, and why it takes nothing just now. */
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
  // A request adds one to one number; the rest is done once a second for all of them.
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
