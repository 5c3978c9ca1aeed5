import type { Outcome } from '@sluice/contract/delivery/delivery';
import { ID_GROUP_VERSION } from '@sluice/contract/delivery/groups';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { WORKER_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import type { LongRace } from './apply/apply-group.ts';
import type { GroupDone, GroupWaits } from './group-observer.ts';

export type Observer = ReturnType<typeof createObserver>;

export interface ObserverDeps {
  readonly metrics: Metrics;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly now: () => number;
}

/** From a lone action on an idle system to a backlog of an hour, in seconds. */
const LAG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600];
const GROUP_SECONDS_BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];
/** A group may contain requests of hundreds of sources. Its log line names the first ones. */
const SOURCES_NAMED = 10;
const EVENTS_NAMED = 10;
const RECORDS_NAMED = 10;
/** A group is put off every few seconds, and there may be many. */
const WAITS_LOGGED_EVERY_MS = 30_000;
const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Records the worker's metrics, and one wide log line for each group. */
export function createObserver({ metrics, logger, now }: ObserverDeps) {
  const actions = metrics.counter(WORKER_METRICS.sluice_worker_actions_total);
  const refusals = metrics.counter(WORKER_METRICS.sluice_worker_refusals_total);
  const letters = metrics.counter(WORKER_METRICS.sluice_worker_dead_letters_total);
  const waiting = metrics.gauge(WORKER_METRICS.sluice_worker_waiting);
  const putOff = metrics.counter(WORKER_METRICS.sluice_worker_newer_groups_total);
  const untold = metrics.counter(WORKER_METRICS.sluice_worker_pending_groups_total);
  let publishingFailsSince: number | null = null;
  metrics.gauge({
    ...WORKER_METRICS.sluice_worker_publish_failing_seconds,
    collect() {
      this.set(publishingFailsSince === null ? 0 : Math.max(0, now() - publishingFailsSince) / 1000);
    },
  });
  let waitsLoggedAt = Number.NEGATIVE_INFINITY;
  const newerVersions = new Set<number>();
  const newerCounts = new Set<string>();
  const size = metrics.histogram({ ...WORKER_METRICS.sluice_worker_group_size, buckets: SIZE_BUCKETS });
  const seconds = metrics.histogram({
    ...WORKER_METRICS.sluice_worker_group_seconds,
    buckets: GROUP_SECONDS_BUCKETS,
  });
  const lag = metrics.histogram({ ...WORKER_METRICS.sluice_worker_lag_seconds, buckets: LAG_BUCKETS });

  return {
    applied({ group_id, trace_id, sourceIds, outcomes, failures, rounds, duration_ms }: GroupDone): void {
      size.observe(outcomes.length);
      seconds.observe(duration_ms / 1000);
      letters.inc(failures.length);
      // Clocks of two hosts differ by milliseconds. A negative lag would decrease the histogram's sum.
      const lags = outcomes.flatMap(({ received_at: at }) => (at === null ? [] : [Math.max(0, now() - at)]));
      for (const lagMs of lags) lag.observe(lagMs / 1000);
      const counts = countOutcomes(outcomes);
      for (const [outcome, count] of Object.entries(counts)) actions.inc({ outcome }, count);
      for (const { delivery_id, reason } of failures) {
        logger.error(
          { event: 'action.failed', group_id, delivery_id, reason },
          'an action failed and was kept as a dead letter',
        );
      }
      const line = {
        event: 'group.applied',
        group_id,
        trace_id,
        source_ids: sourceIds.slice(0, SOURCES_NAMED),
        sources: sourceIds.length,
        actions: outcomes.length,
        ...counts,
        rounds,
        duration_ms,
        lag_ms: Math.max(0, ...lags),
      };
      logger.info(line, 'group applied');
    },
    refused({
      group_id,
      logged,
      unreadable,
    }: {
      group_id: string;
      logged: number;
      unreadable: number;
    }): void {
      refusals.inc(logged);
      letters.inc(unreadable);
      if (unreadable > 0)
        logger.error(
          { event: 'rejection.unreadable', group_id, unreadable },
          'unreadable rejected requests became dead letters',
        );
      logger.info({ event: 'rejections.logged', group_id, logged }, 'rejected requests logged');
    },
    newer(version: number): void {
      putOff.inc();
      if (newerVersions.has(version)) return;
      newerVersions.add(version);
      logger.warn(
        { event: 'group.newer', version, known: ID_GROUP_VERSION },
        'groups of a newer version wait for a newer worker; upgrade the workers (docs/operations.md)',
      );
    },
    newerCount(counted: string): void {
      if (newerCounts.has(counted)) return;
      newerCounts.add(counted);
      logger.warn(
        { event: 'counter_rows.newer', counted },
        'refusals counted by a newer ingress wait for a newer worker; upgrade the workers (docs/operations.md)',
      );
    },
    waits({ group_id, recordIds, actions: count }: GroupWaits): void {
      untold.inc();
      if (now() - waitsLoggedAt < WAITS_LOGGED_EVERY_MS) return;
      waitsLoggedAt = now();
      const record_ids = recordIds.slice(0, RECORDS_NAMED);
      logger.warn(
        { event: 'group.pending', group_id, record_ids, actions: count },
        'actions wait until earlier changes of their events or conversations are published; see publish.failed',
      );
    },
    bug(error: unknown, count: number): void {
      logger.error(
        { event: 'group.bug', err: error, actions: count },
        'applying actions threw; they are applied one by one',
      );
    },
    longRace({ rounds, event_ids }: LongRace): void {
      const line = { event: 'group.races', rounds, event_ids: event_ids.slice(0, EVENTS_NAMED) };
      logger.warn(line, 'a group is delayed: its writes keep losing races for the same events');
    },
    waiting: (count: number): void => waiting.set(count),
    /** The end of a look for pending changes: its error, or null if it published all that it found. */
    lookedForPending(error: unknown): void {
      publishingFailsSince = error === null ? null : (publishingFailsSince ?? now());
    },
  };
}

function countOutcomes(outcomes: readonly { readonly outcome: Outcome }[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
