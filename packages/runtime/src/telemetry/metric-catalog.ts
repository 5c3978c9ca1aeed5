/**
 * Every metric of Sluice. `npm run contract` writes the tables of docs/metrics.md from it, so a description is Markdown. Names and
 * units follow Prometheus (https://prometheus.io/docs/practices/naming/).
 */
export interface CatalogedMetric<L extends string = string> {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Its description in docs/metrics.md. */
  readonly meaning: string;
  /** The same as plain text. */
  readonly help: string;
  readonly labelNames: L[];
  /** How npm start merges the values of several replicas. */
  readonly aggregator: Aggregator;
}

type Aggregator = 'sum' | 'min' | 'max' | 'average';

/** A metric with its name, as the library wants it. */
export type NamedMetric = CatalogedMetric & { readonly name: string };

interface Details<L extends string> {
  readonly labelNames?: L[];
  /** Default: sum. */
  readonly aggregator?: Aggregator;
}

function metric<L extends string>(
  type: CatalogedMetric['type'],
  meaning: string,
  { labelNames = [], aggregator = 'sum' }: Details<L> = {},
): CatalogedMetric<L> {
  const help = meaning.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  return { type, meaning, help, labelNames, aggregator };
}

const counter = <L extends string = never>(meaning: string, details?: Details<L>) =>
  metric('counter', meaning, details);
const gauge = <L extends string = never>(meaning: string, details?: Details<L>) =>
  metric('gauge', meaning, details);
const histogram = <L extends string = never>(meaning: string, details?: Details<L>) =>
  metric('histogram', meaning, details);

/** Adds the names, as prom-client wants them. */
function named<T extends Readonly<Record<string, CatalogedMetric>>>(metrics: T) {
  const entries = Object.entries(metrics).map(([name, one]) => [name, { name, ...one }]);
  return Object.fromEntries(entries) as { readonly [K in keyof T]: T[K] & { readonly name: K } };
}

const STORE_UP = gauge(
  '1: `redis` or `mongodb` answered this process within 0.5 s, as `/readyz` asks it. 0: it did not. Ingresses have no such ' +
    'metric: see `sluice_gate_closed`',
  { labelNames: ['store'], aggregator: 'min' },
);
const REQUEST_SECONDS = histogram(
  'time from the request headers to the end of the response. At an ingress only of requests to the endpoint of a source, with ' +
    '`POST` or `other` as `method`. `route` is as declared, without ids',
  { labelNames: ['method', 'route', 'status'] },
);

/** Every process has these, beside those of Node (prom-client). */
export const PROCESS_METRICS = named({
  sluice_build_info: gauge('always 1. `revision` is the commit of the build, or `unknown`', {
    labelNames: ['version', 'revision', 'node_version'],
    aggregator: 'max',
  }),
  sluice_clock_offset_seconds: gauge(
    "how far this process's clock is ahead of Redis's clock; NaN while Redis is away",
    { aggregator: 'average' },
  ),
});

export const INGRESS_METRICS = named({
  webhook_requests_total: counter(
    'responses. `code` is `ok`, `duplicate` or the code of the rejection ([errors.md](errors.md)). Bytes that are not HTTP ' +
      'do not count',
    { labelNames: ['code', 'status'] },
  ),
  webhook_requests_read_total: counter(
    "requests by the HTTP reader that read them: `plain`, or `node` for Node's HTTP server " +
      '([running.md](running.md#http-readers))',
    { labelNames: ['reader'] },
  ),
  http_request_duration_seconds: REQUEST_SECONDS,
  webhook_group_size: histogram('requests enqueued as one job; `kind` is `actions` or `refusals`', {
    labelNames: ['kind'],
  }),
  sluice_gate_closed: gauge(
    '1: every request gets 503, because of `starting`, `redis_away`, `redis_nearly_full`, `too_few_replicas`, `clock` (its ' +
      "clock and Redis's differ by more than 60 s), `draining` or `unknown_key` (its `SLUICE_SECRET_KEY` opens no signing " +
      'secret). With `backlog_full` only new actions get 503, with `refusals_backlog` only requests that are rejected for ' +
      'another reason. With several shards it is 1 if the gate of at least one is closed',
    { labelNames: ['reason'] },
  ),
  sluice_sources_mostly_rejected: gauge(
    'sources of which more than half of the requests (10 at least) were rejected in the last 2.5 to 5 minutes, by their ' +
      'most common code. Each replica counts what it saw: use the `max`',
    { labelNames: ['code'], aggregator: 'max' },
  ),
  sluice_redis_lost_groups_total: counter(
    'groups of actions that Redis had confirmed, and no longer knew when it came back (`redis.lost_writes`). Each ingress ' +
      'counts what it knows: use the `max`. Some may have been applied before',
  ),
  sluice_redis_setting_wrong: gauge(
    '1: this setting of Redis risks the loss or delay of accepted actions (`redis.weak` names the remedy). Read at each ' +
      'connection and once a minute; settings that Redis hides count as right',
    { labelNames: ['setting'], aggregator: 'max' },
  ),
  sluice_backlog_ratio: gauge(
    'groups that wait in the queue `actions` or `refusals`, as a share of the limit; with several shards of the fullest ' +
      'one, whose limit is its share of `BACKLOG_LIMIT`. Each replica reports the same: use the `max`',
    { labelNames: ['queue'], aggregator: 'max' },
  ),
  sluice_backlog_limit_groups: gauge('`BACKLOG_LIMIT`', { aggregator: 'max' }),
  sluice_redis_memory_limit_ratio: gauge('`REDIS_MEMORY_LIMIT_PERCENT`, as 0 to 1', { aggregator: 'max' }),
});

export const WORKER_METRICS = named({
  sluice_store_up: STORE_UP,
  sluice_worker_actions_total: counter('actions applied and logged', { labelNames: ['outcome'] }),
  sluice_worker_refusals_total: counter('rejected requests logged'),
  sluice_worker_dead_letters_total: counter('dead letters written'),
  sluice_worker_newer_groups_total: counter(
    'how often a group was put off because only a newer worker can read it',
  ),
  sluice_worker_pending_groups_total: counter(
    'how often actions of a group were put off because an event or conversation has 8 MiB of changes that are not published' +
      ' yet',
  ),
  sluice_worker_publish_failing_seconds: gauge(
    'how long the looks of this worker for pending changes have failed; 0: the last look published all that it found. One ' +
      'worker publishes the changes of all processes: use the `min`',
    { aggregator: 'min' },
  ),
  sluice_worker_waiting: gauge('operations that wait for MongoDB now'),
  sluice_worker_group_size: histogram('actions in a group'),
  sluice_worker_group_seconds: histogram(
    'time to apply and log a group, with the groups applied together with it',
  ),
  sluice_worker_lag_seconds: histogram('time from the receipt of an action until it was applied and logged'),
});

export const DISPATCHER_METRICS = named({
  sluice_store_up: STORE_UP,
  sluice_dispatcher_attempts_total: counter(
    'attempts to deliver a message: `delivered`, or why not (`timeout`, `connection_refused`, `server_error` …). ' +
      '`no_connection`: nothing was sent, because all connections to the host were in use. `no_secret`: nothing was sent, ' +
      'because no key opens its secret. `no_socket`: nothing was sent, because the dispatcher had no free file or memory for ' +
      'a connection. `no_proxy`: nothing was sent, because `OUTBOUND_PROXY` could not be reached, or hangs. `proxy_rejected`:' +
      ' nothing was sent, because the proxy accepts no connection from here. `proxy_forbids`: nothing was sent, because the ' +
      'proxy allows none to this host. `no_name_server`: nothing was sent, because no name server answered',
    { labelNames: ['code'] },
  ),
  sluice_dispatcher_attempt_seconds: histogram('time from connecting to the end of the response'),
  sluice_dispatcher_wait_seconds: histogram(
    'time from the log to the response, of the first attempt of each message',
  ),
  sluice_dispatcher_failed_messages_total: counter(
    'messages that failed finally, without tests. An admin can send them again',
  ),
  sluice_dispatcher_messages_without_text_total: counter(
    'messages that ended unsent because their record was erased, or because they waited for over 30 days',
  ),
  sluice_mailboxes_due: gauge(
    'subscriptions with something due that wait for a dispatcher, of all shards. Every dispatcher reports the same: use max. ' +
      'NaN while Redis is away',
    { aggregator: 'max' },
  ),
  sluice_mailboxes_oldest_due_seconds: gauge(
    'how long the first of them has waited; 0 without one. Every dispatcher reports the same',
    { aggregator: 'max' },
  ),
  sluice_subscriptions: gauge(
    'webhook subscriptions: `active`, `retrying` (messages wait, and the receiver has accepted none since it failed), ' +
      '`failing` (for days, see `subscription.failing`) or `paused`. Every dispatcher reports the same, up to 30 s old: use ' +
      'max. Missing while a store is away',
    { labelNames: ['state'], aggregator: 'max' },
  ),
  sluice_messages_waiting: gauge(
    'messages that wait for their receivers, without those of paused subscriptions. It is an estimate while 20,000 or more wait, or ' +
      'over 200 subscriptions are behind. Every dispatcher reports the same, up to 30 s old',
    { aggregator: 'max' },
  ),
  sluice_dispatcher_log_failing_seconds: gauge(
    'how long this dispatcher could not log its attempts; 0: the last ones are logged. It delivers nothing further ' +
      'meanwhile',
  ),
  sluice_dispatcher_turns: gauge(
    'subscriptions that this process delivers to now, but for those of slow receivers. At 256 for long: add dispatchers',
  ),
  sluice_dispatcher_slow_turns: gauge(
    'subscriptions whose receivers have failed, or answer nothing for a second (0.25 s while 256 other turns run). Once they ' +
      'have 2,048 requests, further ones take places of the others: add dispatchers',
  ),
  sluice_dispatcher_slow_requests: gauge(
    'requests of these, of all shards. At 2,048 for long: add dispatchers',
  ),
  sluice_dispatcher_text_characters: gauge(
    'length of the messages that the turns of this process keep. Beyond 67,108,864 each turn has 32,768 of it, or one ' +
      'message at a time',
  ),
});

/** Every API replica reports the same of the installation, hence the maximum. */
export const API_METRICS = named({
  http_request_duration_seconds: REQUEST_SECONDS,
  sluice_store_up: STORE_UP,
  sluice_redis_up: gauge('1: Redis returned all of the following', { aggregator: 'max' }),
  bullmq_job_count: gauge(
    'jobs in a queue. A job of `actions` and `refusals` is a group, a job of `dead-letters` is a dead letter',
    { labelNames: ['queue', 'state'], aggregator: 'max' },
  ),
  bullmq_job_completed_total: counter('jobs that workers finished', {
    labelNames: ['queue'],
    aggregator: 'max',
  }),
  bullmq_job_failed_total: counter('jobs that BullMQ gave up, which should never happen', {
    labelNames: ['queue'],
    aggregator: 'max',
  }),
  webhook_queue_oldest_age_seconds: gauge('age of the oldest group that waits or is in work', {
    labelNames: ['queue'],
    aggregator: 'max',
  }),
  sluice_replicas: gauge(
    'processes that reported within 10 s; `kind` is `ingress`, `worker`, `dispatcher` or `api`, `state` is `ready` or ' +
      '`in_trouble`: the same as `/readyz` of the process',
    { labelNames: ['kind', 'state'], aggregator: 'max' },
  ),
  sluice_redis_memory_used_bytes: gauge('memory that Redis uses', { aggregator: 'max' }),
  sluice_redis_memory_max_bytes: gauge('its `maxmemory`; 0 means no limit', { aggregator: 'max' }),
});

/** What npm start adds to the sums of its processes. */
export const START_METRICS = named({
  sluice_process_up: gauge(
    '1: the process (`worker-1`) answered this scrape within 4 s. 0: it did not, and the sums are without it',
    { labelNames: ['process'], aggregator: 'max' },
  ),
  sluice_process_start_time_seconds: gauge(
    'when the process began, in seconds since the Unix epoch; missing if it did not answer',
    { labelNames: ['process'], aggregator: 'max' },
  ),
});

/** All of them, by the section of docs/metrics.md. */
export const METRIC_SECTIONS: Readonly<Record<string, readonly NamedMetric[]>> = {
  'Every process': Object.values(PROCESS_METRICS),
  Ingress: Object.values(INGRESS_METRICS),
  Worker: Object.values(WORKER_METRICS),
  Dispatcher: Object.values(DISPATCHER_METRICS),
  API: Object.values(API_METRICS),
  'npm start': Object.values(START_METRICS),
};
