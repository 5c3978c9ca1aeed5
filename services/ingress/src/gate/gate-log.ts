import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { GateDeps } from './gate.ts';

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
