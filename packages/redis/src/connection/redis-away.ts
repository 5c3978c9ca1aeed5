/** Whether an error of ioredis means that Redis is away, or can't execute commands now, so that a retry may succeed. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return AWAY_NAMES.has(error.name) || OF_CLIENT.test(error.message) || isRedisUnable(error);
}

/** Whether Redis responds, but can't execute this command now. The message is the reason in its own words. */
export function isRedisUnable(error: unknown): error is Error {
  return error instanceof Error && OF_SERVER.test(error.message);
}

/** ioredis has no common class for the errors of a lost connection. */
const AWAY_NAMES: ReadonlySet<string> = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);

const OF_CLIENT = new RegExp(
  `^(?:${[
    'Command timed out',
    'Command aborted due to connection close',
    'Connection is (?:closed|in)',
    "Stream isn't writeable",
    'not connected to Redis',
    // A Cluster client has no server yet, or has followed too many redirections.
    "Cluster isn't ready",
    'Too many Cluster redirections',
  ].join('|')})`,
);

/**
 * Replies of a Redis that starts, has just failed over, moves a slot, runs a long script, or may not write now: too few replicas, or a disk
 * that is full. Or its user lacks a permission, which an operator can grant.
 */
const OF_SERVER =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|NOREPLICAS|MISCONF|NOPERM) /;

/** Whether a command or a script needs memory that Redis has not. */
export function isRedisFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.includes('OOM ');
}

/** Whether Redis is away or full. In both cases it is unknown whether the command took effect. */
export function isRedisUnavailable(error: unknown): boolean {
  return isRedisAway(error) || isRedisFull(error);
}
