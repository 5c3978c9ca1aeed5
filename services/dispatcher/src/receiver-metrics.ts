import type { CountWaiting } from '@sluice/outbound/log/count-waiting';
import type { Due, Turns } from '@sluice/outbound/queue/turn';
import { DISPATCHER_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { within } from '@sluice/runtime/timing/within';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';

export interface ReceiverMetricsDeps {
  readonly metrics: Metrics;
  readonly turns: Pick<Turns, 'countDue'>;
  readonly countWaiting: CountWaiting;
  readonly subscriptions: Pick<Subscriptions, 'countByPause'>;
  readonly shards: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** A scrape must not wait for a store that hangs. Milliseconds. */
const ANSWER_MS = 1000;
/** A look reads every subscription with something waiting, so it is not for each scrape. Milliseconds. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Reports the states of webhook subscriptions and how many messages wait, both up to 30 s old, and how many subscriptions wait for a
 * dispatcher. Every dispatcher reports the same. The metrics are missing, or NaN, while a store is away.
 */
export function registerReceiverMetrics(deps: ReceiverMetricsDeps): void {
  const { metrics, now } = deps;
  let last = { at: Number.NEGATIVE_INFINITY, look: Promise.resolve<Receivers | undefined>(undefined) };
  const read = (): Promise<Receivers | undefined> => {
    if (now() - last.at >= LOOK_AGAIN_MS)
      last = { at: now(), look: within(ANSWER_MS, look(deps), () => undefined).catch(() => undefined) };
    return last.look;
  };
  metrics.gauge({
    ...DISPATCHER_METRICS.sluice_subscriptions,
    async collect() {
      const found = await read();
      this.reset();
      for (const [state, count] of Object.entries(found?.states ?? {})) this.set({ state }, count);
    },
  });
  metrics.gauge(
    DISPATCHER_METRICS.sluice_messages_waiting,
    async () => (await read())?.waiting ?? Number.NaN,
  );
  const due = async (): Promise<readonly Due[] | undefined> => {
    const all = Array.from({ length: deps.shards }, (_, shard) => deps.turns.countDue(shard));
    return within(ANSWER_MS, Promise.all(all), () => undefined).catch(() => undefined);
  };
  metrics.gauge(
    DISPATCHER_METRICS.sluice_mailboxes_due,
    async () => (await due())?.reduce((sum, one) => sum + one.subscriptions, 0) ?? Number.NaN,
  );
  metrics.gauge(DISPATCHER_METRICS.sluice_mailboxes_oldest_due_seconds, async () => {
    const counted = await due();
    return counted === undefined
      ? Number.NaN
      : Math.max(0, ...counted.map(({ oldestMs }) => oldestMs)) / 1000;
  });
}

interface Receivers {
  readonly waiting: number;
  readonly states: Readonly<Record<'active' | 'retrying' | 'failing' | 'paused', number>>;
}

async function look({ countWaiting, subscriptions, shards }: ReceiverMetricsDeps): Promise<Receivers> {
  const counting = Array.from({ length: shards }, (_, shard) => countWaiting(shard));
  const [{ active, failing, paused }, counted] = await Promise.all([
    subscriptions.countByPause(),
    Promise.all(counting),
  ]);
  const retrying = counted.reduce((sum, one) => sum + one.retrying, 0);
  return {
    waiting: counted.reduce((sum, one) => sum + one.waiting, 0),
    // Redis and MongoDB are not read at the same instant.
    states: { active: Math.max(0, active - retrying), retrying, failing, paused },
  };
}
