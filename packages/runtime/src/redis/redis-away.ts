/** Whether an error of ioredis means that Redis is away, or can't execute commands now, so that a retry may succeed. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || AWAY.test(error.message);
}

/** ioredis has no common class for these. The words in capitals are replies of Redis, also of one that starts or has just failed over. */
const AWAY =
  /^(Command timed out|Connection is (?:closed|in)|Stream isn't writeable|not connected to Redis)|^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN) /;

/** Whether a command or a script needs memory that Redis has not. */
export function isRedisFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.includes('OOM ');
}

/** Whether Redis is away or full. In both cases it is unknown whether the command took effect. */
export function isRedisUnavailable(error: unknown): boolean {
  return isRedisAway(error) || isRedisFull(error);
}
