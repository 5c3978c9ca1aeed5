import type { ConversationStatus } from '@sluice/contract/conversation';
import { CONVERSATION_ORDER } from '@sluice/dashboard-api/conversation-order';
import { conversationQuery } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { Conversations } from '@sluice/store/conversations/conversations';
import type { Sources } from '@sluice/store/sources/sources';
import type { Binder } from '../http/bind.ts';
import { decodeCursor, nextCursor } from '../http/cursor.ts';
import { done, refuse } from '../http/result.ts';
import { channelNames } from './channel-names.ts';
import { describeItem } from './describe-item.ts';

export interface ListConversationsDeps {
  readonly sources: Pick<Sources, 'listSources'>;
  readonly conversations: Pick<Conversations, 'pageConversations'>;
}

const PAGE = 50;

/** The account's conversations in pages: by status, people who wait for an agent first, the longest wait before others; then the latest change first. */
export function listConversations({ guarded }: Binder, deps: ListConversationsDeps): void {
  guarded(ROUTES.conversations.list, { query: conversationQuery }, async ({ who, query }) => {
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, isPlace);
    if (query.cursor !== undefined && after === undefined)
      return refuse('bad_request', 'The cursor does not belong to this list. Reload the list.');
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
      readInOrder(deps, { filter, statuses, after, limit: limit + 1 }),
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
  readonly after: Place | undefined;
  readonly limit: number;
}

/** Reads one status after another until there are enough, so that each read is of one range of an index. */
async function readInOrder(
  { conversations }: ListConversationsDeps,
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

type Place = readonly [status: ConversationStatus, at: number, conversationId: string];

function isPlace(place: unknown): place is Place {
  if (!Array.isArray(place) || place.length !== 3) return false;
  const [status, at, conversationId] = place as unknown[];
  return (
    CONVERSATION_ORDER.some((one) => one === status) &&
    Number.isSafeInteger(at) &&
    Math.abs(at as number) <= 8.64e15 &&
    typeof conversationId === 'string'
  );
}
