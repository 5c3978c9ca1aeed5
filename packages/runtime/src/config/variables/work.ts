import * as z from 'zod';
import { inGroup } from '../variable-info.ts';
import { whole } from '../variable-types.ts';

const info = inGroup('Work');

/** How processes work, stop and log. */
export const workVariables = {
  WORKER_CONCURRENCY: whole(1, 1000)
    .prefault('32')
    .meta(info('Groups that one worker holds at a time, at most; it applies together what it holds.')),
  DELIVERY_RETENTION_DAYS: whole(1, 3650).prefault('30').meta(info('Days that the delivery log is kept.')),
  TOMBSTONE_DAYS: whole(1, 3650)
    .prefault('30')
    .meta(info('Days for which a deleted event is remembered, so that an older action cannot revive it.')),
  INGRESS_HTTP_READER: z
    .enum(['plain', 'node'])
    .prefault('plain')
    .meta(
      info(
        "plain: the ingress reads requests in the plainest form of HTTP/1.1 without Node's HTTP server. node: Node's HTTP server reads all requests.",
      ),
    ),
  DRAIN_MS: whole(0, 300_000)
    .prefault('3000')
    .meta(
      info(
        'Milliseconds for which a stopping ingress or API still answers, so that load balancers notice; within the seconds below. npm start: 300.',
      ),
    ),
  SHUTDOWN_GRACE_SECONDS: whole(1, 600)
    .prefault('10')
    .meta(info('Seconds that a process may take to finish what it holds.')),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .prefault('info')
    .meta(info('Least severe log line written: fatal, error, warn, info, debug, trace or silent.')),
} as const;

const startInfo = inGroup('npm start');

/** The processes of `npm start`. */
export const npmStartVariables = {
  INGRESS_REPLICAS: whole(0, 64).prefault('1').meta(startInfo('Ingress processes; they share INGRESS_PORT.')),
  WORKER_REPLICAS: whole(0, 64).prefault('1').meta(startInfo('Worker processes.')),
  DISPATCHER_REPLICAS: whole(0, 64).prefault('1').meta(startInfo('Dispatcher processes.')),
} as const;
