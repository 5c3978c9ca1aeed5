import {
  type FoundKey,
  fenceList,
  isHome,
  leaveList,
  leaving,
  type MoveDeps,
  type Settled,
  STAYS,
} from './move-mailboxes.ts';

/**
 * Deletes what the wrong shard has about the webhook subscriptions of an account. They are published to its shard from MongoDB, which has their
 * cursors and all that waits. Undefined: the key is of another kind.
 */
export async function leaveSubscriptions(deps: MoveDeps, found: FoundKey): Promise<Settled | undefined> {
  const [what = '', id = ''] = found.rest.split(':');
  switch (what) {
    case 'mailbox':
      return leaveAccount(deps, found, await deps.redis.hget(found.key, 'account'));
    case 'subscriptions':
      return leaveList(deps, found, id);
    case 'subscription-ids':
    case 'subscribed':
      return isHome(deps, found, id) ? STAYS : leaving(deps, found);
    case 'log':
    case 'log-open':
    case 'log-given-up':
    case 'idle-cursors':
      return leaveAccount(deps, found, id);
    default:
      return undefined;
  }
}

/** First nobody appends to its log in this shard any more. */
async function leaveAccount(deps: MoveDeps, found: FoundKey, accountId: string | null): Promise<Settled> {
  if (accountId === null || isHome(deps, found, accountId)) return STAYS;
  await fenceList(deps, found, accountId);
  return leaving(deps, found);
}
