import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { createRejectedSources, REJECTING_CODES, type RejectedSources } from './rejected-sources.ts';

export interface ObserveSourcesDeps {
  readonly metrics: Metrics;
  readonly logger: Pick<Logger, 'warn'>;
  readonly rejected?: RejectedSources;
}

const LINES_PER_SECOND = 10;

/**
 * Reports sources of which most requests are rejected: their number to Prometheus, their ids to the log. No label has an id,
 * because the number of sources has no bound.
 */
export function observeSources({
  metrics,
  logger,
  rejected = createRejectedSources(),
}: ObserveSourcesDeps): (sourceId: string, code: string, status: number) => void {
  metrics.gauge({
    name: 'sluice_sources_mostly_rejected',
    help: 'Sources of which more than half of the requests of the last minutes were rejected, by the most common code.',
    labelNames: ['code'],
    // All replicas see the same sources.
    aggregator: 'max',
    collect() {
      const counts = rejected.countByCode();
      for (const code of REJECTING_CODES) this.set({ code }, counts.get(code) ?? 0);
    },
  });
  const budget = createLineBudget({ perSecond: LINES_PER_SECOND });
  return (sourceId, code, status) => {
    const found = rejected.saw(sourceId, code, status);
    const taken = found && budget.take();
    if (taken !== undefined)
      logger.warn({ event: 'source.rejected', ...found, ...taken }, 'most requests of a source are rejected');
  };
}
