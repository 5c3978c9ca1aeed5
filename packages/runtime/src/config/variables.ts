import * as z from 'zod';
import { SAMPLERS } from '../telemetry/tracing/tracing.ts';
import {
  httpUrl,
  label,
  mailFrom,
  mongoUrl,
  namespace,
  plans,
  port,
  ratio,
  redisUrl,
  secretKey,
  secretKeys,
  smtpUrl,
  trustProxy,
  whole,
  yesOrNo,
} from './variable-types.ts';

/** The description of a variable, for `.env.example` and error messages. */
export type VariableInfo = {
  readonly group: string;
  readonly description: string;
  /** Shown instead of a default when there is none. */
  readonly example?: string;
};

const info = (group: string, description: string, example?: string): VariableInfo =>
  example === undefined ? { group, description } : { group, description, example };

/**
 * The catalog of all environment variables. A process picks those it needs:
 * `configOrExit({ REDIS_URL: variables.REDIS_URL, … })`. For each there is also NAME_FILE, the path of a file
 * with the value (Docker secrets). An empty value counts as not set.
 */
export const variables = {
  HOST: z
    .string()
    .prefault('127.0.0.1')
    .meta(info('Addresses', 'Address that services listen on; the container image sets 0.0.0.0.')),
  INGRESS_PORT: port().prefault('8080').meta(info('Addresses', 'Port of the webhook endpoint.')),
  API_PORT: port().prefault('8081').meta(info('Addresses', 'Port of the public API and the dashboard.')),
  INGRESS_ADMIN_PORT: port()
    .prefault('9080')
    .meta(info('Addresses', 'Port of /livez, /readyz and /metrics of the ingress.')),
  API_ADMIN_PORT: port()
    .prefault('9081')
    .meta(info('Addresses', 'Port of /livez, /readyz and /metrics of the API.')),
  WORKER_ADMIN_PORT: port()
    .prefault('9082')
    .meta(info('Addresses', 'Port of /livez, /readyz and /metrics of the worker.')),
  EVENTS_URL: httpUrl().meta(
    info(
      'Addresses',
      'Public base address of the webhook endpoints. Default: http://localhost:INGRESS_PORT.',
      'https://events.example.com',
    ),
  ),
  API_URL: httpUrl().meta(
    info(
      'Addresses',
      'Public base address of the API and the dashboard. Default: http://localhost:API_PORT.',
      'https://sluice.example.com',
    ),
  ),
  INGRESS_URL: httpUrl().meta(
    info(
      'Addresses',
      "Where the API reaches the ingress, for the dashboard's test requests. Default: EVENTS_URL.",
      'http://ingress:8080',
    ),
  ),
  ENVIRONMENT_NAME: label().meta(
    info(
      'Addresses',
      'What the dashboard calls this installation, beside its name; not set: nothing.',
      'staging',
    ),
  ),
  TRUST_PROXY: trustProxy()
    .prefault('false')
    .meta(
      info(
        'Addresses',
        'Which proxies to believe about the address of a sender: a number of hops, addresses, false, or true (any client can then claim any address).',
      ),
    ),

  REDIS_URL: redisUrl().meta(
    info(
      'Stores',
      'Redis 7 or later, noeviction, append-only file; a Cluster as redis+cluster://host:port,host:port. npm start starts one when this is not set.',
      'redis://127.0.0.1:6379',
    ),
  ),
  MONGO_URL: mongoUrl().meta(
    info(
      'Stores',
      'MongoDB 7 or later. npm start starts one when this is not set.',
      'mongodb://127.0.0.1:27017',
    ),
  ),
  SLUICE_NAMESPACE: namespace()
    .prefault('sluice')
    .meta(info('Stores', 'Name under which this installation keeps everything in Redis and MongoDB.')),
  DATA_DIR: z
    .string()
    .prefault('./data')
    .meta(info('Stores', 'Folder in which npm start keeps its stores, logs and first-run secrets.')),
  SLUICE_SECRET_KEY: secretKey().meta(
    info(
      'Stores',
      'Encrypts the signing secrets: 32 bytes in base64 or hex (openssl rand -base64 32). npm start makes one.',
      'base64 of 32 random bytes',
    ),
  ),
  SLUICE_SECRET_KEYS_OLD: secretKeys()
    .prefault('')
    .meta(
      info(
        'Stores',
        'Former keys, with commas between them, that still open signing secrets until sluice secrets reseal has run.',
      ),
    ),
  REDIS_WAIT_REPLICAS: whole(0, 100)
    .prefault('0')
    .meta(info('Stores', 'Redis replicas that must hold an action before its sender gets a 200.')),
  QUEUE_SHARDS: whole(1, 64)
    .prefault('1')
    .meta(
      info(
        'Stores',
        'Shards that accounts are spread over in Redis; the same for every process. See docs/scaling.md before changing it.',
      ),
    ),

  RATE_LIMIT_PER_SECOND: whole(1, 1_000_000)
    .prefault('100')
    .meta(info('Limits', 'Requests a second that one source may send.')),
  RATE_LIMIT_BURST: whole(1, 10_000_000)
    .prefault('1000')
    .meta(info('Limits', 'Requests that one source may send at once.')),
  BAD_SIGNATURES_PER_MINUTE: whole(1, 1_000_000)
    .prefault('300')
    .meta(
      info('Limits', 'Wrong signatures a minute after which a client address gets 429 for further ones.'),
    ),
  KEY_RATE_PER_MINUTE: whole(1, 1_000_000)
    .prefault('600')
    .meta(info('Limits', 'Requests a minute that one API key may make.')),
  KEY_RATE_BURST: whole(1, 1_000_000)
    .prefault('100')
    .meta(info('Limits', 'Requests that one API key may make at once.')),
  PLANS: plans()
    .prefault('free:1000,pro:100000,unlimited')
    .meta(info('Limits', 'Plans and the upserts a calendar month that each allows.')),
  BACKLOG_LIMIT: whole(1, 10_000_000)
    .prefault('20000')
    .meta(info('Limits', 'Waiting groups after which the ingress answers 503, and imports stop.')),
  REDIS_MEMORY_LIMIT_PERCENT: whole(1, 100)
    .prefault('70')
    .meta(info('Limits', "Share of Redis's maxmemory after which the ingress answers 503.")),
  FEED_PRIVATE_NETWORKS: yesOrNo()
    .prefault('false')
    .meta(
      info(
        'Limits',
        'true lets admins import calendar feeds from private networks and this machine, and so find out what is there.',
      ),
    ),
  OUTBOUND_PRIVATE_NETWORKS: yesOrNo()
    .prefault('false')
    .meta(
      info(
        'Limits',
        'true lets admins set a reply URL with http, for a receiver in a private network or on this machine.',
      ),
    ),

  SMTP_URL: smtpUrl().meta(
    info(
      'Mail',
      'Mail server of the API, for links that set a new password: smtps://, or smtp:// with STARTTLS. Not set: nothing is mailed.',
      'smtps://user:password@mail.example.com',
    ),
  ),
  MAIL_FROM: mailFrom().meta(
    info(
      'Mail',
      'Sender of these mails. Default: sluice@ and the host of API_URL.',
      'Sluice <sluice@example.com>',
    ),
  ),

  WORKER_CONCURRENCY: whole(1, 1000)
    .prefault('32')
    .meta(
      info('Work', 'Groups that one worker holds at a time, at most; it applies together what it holds.'),
    ),
  DELIVERY_RETENTION_DAYS: whole(1, 3650)
    .prefault('30')
    .meta(info('Work', 'Days that the delivery log is kept.')),
  TOMBSTONE_DAYS: whole(1, 3650)
    .prefault('30')
    .meta(
      info('Work', 'Days for which a deleted event is remembered, so that an older action cannot revive it.'),
    ),
  INGRESS_HTTP_READER: z
    .enum(['plain', 'node'])
    .prefault('plain')
    .meta(
      info(
        'Work',
        "plain: the ingress reads requests in the plainest form of HTTP/1.1 without Node's HTTP server. node: Node's HTTP server reads all requests.",
      ),
    ),
  DRAIN_MS: whole(0, 300_000)
    .prefault('3000')
    .meta(
      info(
        'Work',
        'Milliseconds for which a stopping ingress or API still answers, so that load balancers notice; within the seconds below. npm start: 300.',
      ),
    ),
  SHUTDOWN_GRACE_SECONDS: whole(1, 600)
    .prefault('10')
    .meta(info('Work', 'Seconds that a process may take to finish what it holds.')),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .prefault('info')
    .meta(info('Work', 'Least severe log line written: fatal, error, warn, info, debug, trace or silent.')),

  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl().meta(
    info(
      'Traces',
      'Where ingress and worker send OpenTelemetry traces (OTLP over HTTP). Without it there are none.',
      'http://otel-collector:4318',
    ),
  ),
  OTEL_SERVICE_NAME: z
    .string()
    .meta(
      info(
        'Traces',
        'Name of the process in its traces. Default: sluice-ingress, sluice-worker.',
        'sluice-ingress',
      ),
    ),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .prefault('parentbased_always_on')
    .meta(info('Traces', `Which requests are traced: ${SAMPLERS.join(', ')}.`)),
  OTEL_TRACES_SAMPLER_ARG: ratio()
    .prefault('1')
    .meta(info('Traces', 'For the samplers by ratio: the share of requests that is traced, from 0 to 1.')),

  INGRESS_REPLICAS: whole(0, 64)
    .prefault('1')
    .meta(info('npm start', 'Ingress processes; they share INGRESS_PORT.')),
  WORKER_REPLICAS: whole(0, 64).prefault('1').meta(info('npm start', 'Worker processes.')),
} as const;

export type VariableName = keyof typeof variables;

/** The variables of each process that admits actions: the ingress, and the API for actions from the dashboard. */
export const admittingVariables = {
  HOST: variables.HOST,
  TRUST_PROXY: variables.TRUST_PROXY,
  REDIS_URL: variables.REDIS_URL,
  REDIS_WAIT_REPLICAS: variables.REDIS_WAIT_REPLICAS,
  QUEUE_SHARDS: variables.QUEUE_SHARDS,
  MONGO_URL: variables.MONGO_URL,
  SLUICE_NAMESPACE: variables.SLUICE_NAMESPACE,
  SLUICE_SECRET_KEY: variables.SLUICE_SECRET_KEY,
  SLUICE_SECRET_KEYS_OLD: variables.SLUICE_SECRET_KEYS_OLD,
  RATE_LIMIT_PER_SECOND: variables.RATE_LIMIT_PER_SECOND,
  RATE_LIMIT_BURST: variables.RATE_LIMIT_BURST,
  BAD_SIGNATURES_PER_MINUTE: variables.BAD_SIGNATURES_PER_MINUTE,
  PLANS: variables.PLANS,
  DRAIN_MS: variables.DRAIN_MS,
  SHUTDOWN_GRACE_SECONDS: variables.SHUTDOWN_GRACE_SECONDS,
  LOG_LEVEL: variables.LOG_LEVEL,
} as const;

/** The variables of a process that records traces. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variables.OTEL_EXPORTER_OTLP_ENDPOINT.optional(),
  OTEL_SERVICE_NAME: variables.OTEL_SERVICE_NAME.optional(),
  OTEL_TRACES_SAMPLER: variables.OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG: variables.OTEL_TRACES_SAMPLER_ARG,
} as const;
