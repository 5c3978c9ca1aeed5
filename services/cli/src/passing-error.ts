import { UnconfirmedChangeError } from '@sluice/accounts/audit/unconfirmed-change';
import { PendingLimitError } from '@sluice/leads/change/pending-limit';
import { ContendedError } from '@sluice/leads/contention';
import { CommandFailure } from './exit-codes.ts';

const AGAIN = 'The command may have taken effect in part. Check, then run it again.';

/**
 * Explains an unexpected error that passes, such as that of a store that went away during the command. Undefined: it is a bug, or the
 * command has explained it. The store libraries are loaded only for an error.
 */
export async function passingError(error: unknown): Promise<string | undefined> {
  if (!(error instanceof Error) || error instanceof CommandFailure) return undefined;
  const { message } = error;
  if (error instanceof UnconfirmedChangeError) return message;
  const { redisFailure } = await import('./redis-failure.ts');
  const failure = redisFailure(error);
  if (failure !== undefined) return `${failure} ${AGAIN}`;
  const { isMongoAway } = await import('@sluice/store/connection/mongo-away');
  if (isMongoAway(error)) return `MongoDB stopped responding (${message}). ${AGAIN}`;
  if (error instanceof ContendedError)
    return 'Others change this lead at the same time. Run this command again.';
  if (error instanceof PendingLimitError)
    return 'Webhook subscriptions have not got the last changes of this lead yet. Check Redis, then run this command again.';
  return undefined;
}
