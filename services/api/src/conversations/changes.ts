import { formatInstant } from '@sluice/contract/instant';
import { changesQuery } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import { channelNames } from './channel-names.ts';
import { describeItem } from './describe-item.ts';
import type { ListConversationsDeps } from './list.ts';

export interface ChangesDeps extends ListConversationsDeps {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** More changes at once reload the list. */
const PAGE = 100;

/** A change may become visible this long after its time: clocks differ, and a write takes its time. */
const BEHIND_MS = 10_000;

/**
 * Reads the changes since a time. Open pages ask every second. It is one read of an index range that is nearly always empty,
 * so it needs neither a stream nor its limits.
 */
export function changesRoute({ guarded }: Binder, deps: ChangesDeps): void {
  guarded(ROUTES.conversations.changes, { query: changesQuery }, async ({ who, query: { since } }) => {
    const until = formatInstant(deps.now() - BEHIND_MS);
    if (since === undefined) return done({ items: [], more: false, until });
    const filter = { account_id: who.accountId, updated_since: since };
    const page = await deps.conversations.pageConversations(filter, { sort: '-updated_at', limit: PAGE });
    if (page.items.length === 0) return done({ items: [], more: false, until });
    const names = await channelNames(deps.sources, who.accountId);
    return done({ items: page.items.map((one) => describeItem(one, names)), more: page.more, until });
  });
}
