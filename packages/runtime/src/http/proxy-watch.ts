import type { IncomingHttpHeaders } from 'node:http';
import { HOUR_MS } from '@sluice/contract/time/durations';
import type { Logger } from '../telemetry/logger.ts';

/** Detects a proxy that sends client addresses while `TRUST_PROXY` does not allow the process to trust them. */
export interface ProxyWatch {
  /** Call it for requests of known senders only, because anyone can send the header. */
  saw(headers: IncomingHttpHeaders): void;
  /** Whether such a header came within the last hour. */
  isIgnoring(): boolean;
}

export interface ProxyWatchDeps {
  /** `TRUST_PROXY`. With 0 the admin trusts no proxy, so there is no warning. */
  readonly trustProxy: boolean | number | string | readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

const IGNORED =
  'X-Forwarded-For is ignored: TRUST_PROXY is false. All clients behind a proxy count as one address. ' +
  'Set TRUST_PROXY to the number of your proxies, or to 0 if there is none.';
const BELIEVES_ALL =
  'TRUST_PROXY=true believes any X-Forwarded-For: a client can claim any address. ' +
  'Set TRUST_PROXY to the number of your proxies, or to their addresses.';

/** Warns at once of `TRUST_PROXY=true`, and once an hour of a header that is ignored. */
export function createProxyWatch({
  trustProxy,
  logger,
  now = () => performance.now(),
}: ProxyWatchDeps): ProxyWatch {
  if (trustProxy === true) logger.warn({ event: 'proxy.believes_all' }, BELIEVES_ALL);
  if (trustProxy !== false) return { saw: () => undefined, isIgnoring: () => false };
  let seenAt = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    saw(headers) {
      if (headers['x-forwarded-for'] === undefined) return;
      seenAt = now();
      if (seenAt - loggedAt < HOUR_MS) return;
      loggedAt = seenAt;
      logger.warn({ event: 'proxy.ignored' }, IGNORED);
    },
    isIgnoring: () => now() - seenAt < HOUR_MS,
  };
}
