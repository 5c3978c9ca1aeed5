import type { Logger } from '@sluice/runtime/telemetry/logger';
import { INGRESS_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import type { IngressConfig } from '../config.ts';
import { CLOSED_REASONS, type Gate, type GateDeps } from './gate.ts';

export interface ObserveGateDeps {
  readonly metrics: Metrics;
  readonly gate: Pick<Gate, 'reasons' | 'backlogFull' | 'fullness'>;
  readonly config: Pick<IngressConfig, 'BACKLOG_LIMIT' | 'REDIS_MEMORY_LIMIT_PERCENT'>;
}

/** Reports at every scrape why the gate is closed, and the limits at which it closes. */
export function observeGate({ metrics, gate, config }: ObserveGateDeps): void {
  metrics.gauge({
    ...INGRESS_METRICS.sluice_gate_closed,
    collect() {
      const reasons = gate.reasons();
      for (const reason of CLOSED_REASONS) this.set({ reason }, Number(reasons.includes(reason)));
      this.set({ reason: 'backlog_full' }, Number(gate.backlogFull()));
      this.set({ reason: 'refusals_backlog' }, Number(gate.fullness().refusals > 1));
    },
  });
  metrics.gauge({
    ...INGRESS_METRICS.sluice_backlog_ratio,
    collect() {
      const { actions, refusals } = gate.fullness();
      this.set({ queue: 'actions' }, actions);
      this.set({ queue: 'refusals' }, refusals);
    },
  });
  metrics.gauge(INGRESS_METRICS.sluice_backlog_limit_groups).set(config.BACKLOG_LIMIT);
  metrics.gauge(INGRESS_METRICS.sluice_redis_memory_limit_ratio).set(config.REDIS_MEMORY_LIMIT_PERCENT / 100);
}

export interface GateLogDeps {
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Undefined if there is only one shard. */
  readonly shard: string | undefined;
}

type GateLog = Pick<GateDeps, 'onChange' | 'onBacklogChange' | 'onRefusalsChange' | 'onRefused'>;

/** One log line for each change of a gate. */
export function gateLog({ logger, shard }: GateLogDeps): GateLog {
  const fields = (closed: string | null) => ({
    event: 'gate.changed',
    closed,
    ...(shard !== undefined && { shard }),
  });
  return {
    onChange: (closed) => {
      if (closed === null) logger.info(fields(null), 'gate open');
      else logger.warn(fields(closed), 'gate closed: every request gets 503');
    },
    onBacklogChange: (full) => {
      if (full) logger.warn(fields('backlog_full'), 'backlog full: new actions get 503');
      else logger.info(fields(null), 'backlog has room again');
    },
    onRefusalsChange: (full) => {
      if (full) logger.warn(fields('refusals_backlog'), 'backlog of rejected requests full: they get 503');
      else logger.info(fields(null), 'backlog of rejected requests has room again');
    },
    onRefused: (error) =>
      logger.error(
        { event: 'gate.refused', reason: error.message },
        'Redis rejects the poll of its state: every request gets 503',
      ),
  };
}
