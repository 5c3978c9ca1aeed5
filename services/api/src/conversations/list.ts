import type { ConversationStatus } from '@sluice/contract/conversation/conversation';
import { formatInstant } from '@sluice/contract/time/instant';
import { CONVERSATION_ORDER } from '@sluice/dashboard-api/conversation-order';
import { changesQuery, conversationQuery } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { Sources } from '@sluice/store/sources/sources';
import * as z from 'zod';
import type { Binder } from '../http/bind.ts';
import { nextCursor, placeTime, readCursor } from '../http/cursor.ts';
import { done } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { describeItem } from './describe-item.ts';

const PAGE = 50;
const PLACE = z.tuple([z.enum(CONVERSATION_ORDER), placeTime, z.string()]);

/** The account's conversations in pages: by status, people who wait for an agent first, the longest wait before others; then the latest change first. */
export function listConversations({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.conversations.list, { query: conversationQuery }, async ({ who, query }) => {
    const from = readCursor(query.cursor, PLACE);
    if (from.outcome === 'refused') return from;
    const limit = query.limit ?? PAGE;
    const filter = {
      account_id: who.accountId,
      ...(query.channel_id !== undefined && { channel_id: query.channel_id }),
      ...(query.lead_id !== undefined && { lead_id: query.lead_id }),
    };
    const statuses = query.status === undefined ? CONVERSATION_ORDER : [query.status];
    const [names, found] = await Promise.all([
      channelNames(deps.sources, who.accountId),
      // One more than a page shows whether another follows.
      readInOrder(deps, { filter, statuses, after: from.place, limit: limit + 1 }),
    ]);
    const page = { items: found.slice(0, limit), more: found.length > limit };
    const next_cursor = nextCursor(page, (last) => [last.status, placeOf(last), last.conversation_id]);
    return done({ items: page.items.map((one) => describeItem(one, names)), next_cursor });
  });
}

/** The time by which the conversations of a status are sorted. */
function placeOf({ status, requested, updated_at }: Conversation): number {
  return status === 'handoff_requested' ? (requested?.at ?? 0) : updated_at;
}

interface Read {
  readonly filter: {
    readonly account_id: string;
    readonly channel_id?: string;
    readonly lead_id?: string;
  };
  readonly statuses: readonly ConversationStatus[];
  readonly after: z.infer<typeof PLACE> | undefined;
  readonly limit: number;
}

/** Reads one status after another until there are enough, so that each read is of one range of an index. */
async function readInOrder(
  { conversations }: RouteDeps,
  { filter, statuses, after, limit }: Read,
): Promise<Conversation[]> {
  const found: Conversation[] = [];
  const left = after === undefined ? statuses : statuses.slice(statuses.indexOf(after[0]));
  for (const status of left) {
    if (found.length === limit) break;
    const { items } = await conversations.pageConversations(
      { ...filter, status },
      {
        sort: status === 'handoff_requested' ? 'requested_at' : '-updated_at',
        limit: limit - found.length,
        ...(after !== undefined &&
          status === after[0] && { after: { at: after[1], conversation_id: after[2] } }),
      },
    );
    found.push(...items);
  }
  return found;
}

/** The name of each channel of an account, by its id. */
async function channelNames(
  sources: Pick<Sources, 'listSources'>,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const channels = await sources.listSources({ account_id: accountId, kind: 'channel' });
  return new Map(channels.map(({ source_id, name }) => [source_id, name]));
}

/** More changes at once reload the list. */
const CHANGED_PAGE = 100;

/** A change may become visible this long after its time: clocks differ, and a write takes its time. */
const BEHIND_MS = 10_000;

/**
 * Reads the changes since a time. Open pages ask every second. It is one read of an index range that is nearly always empty,
 * so it needs neither a stream nor its limits.
 */
export function changesRoute({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.conversations.changes, { query: changesQuery }, async ({ who, query: { since } }) => {
    const until = formatInstant(deps.now() - BEHIND_MS);
    if (since === undefined) return done({ items: [], more: false, until });
    const filter = { account_id: who.accountId, updated_since: since };
    const page = await deps.conversations.pageConversations(filter, {
      sort: '-updated_at',
      limit: CHANGED_PAGE,
    });
    if (page.items.length === 0) return done({ items: [], more: false, until });
    const names = await channelNames(deps.sources, who.accountId);
    return done({ items: page.items.map((one) => describeItem(one, names)), more: page.more, until });
  });
}
