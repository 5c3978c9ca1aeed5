import { messageQuery } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Binder } from '../http/bind.ts';
import { decodeCursor, nextCursor } from '../http/cursor.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { describeMessageItem } from './describe-item.ts';

const PAGE = 50;

/** The messages of a conversation: the newest page first, and in each page the oldest message first. */
export function messagesRoute({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.conversations.messages, { query: messageQuery }, async ({ who, params, query }) => {
    const { conversationId = '' } = params;
    const conversation = await deps.conversations.findConversation(who.accountId, conversationId);
    if (conversation === undefined) return notFound('conversation');
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, isPlace);
    if (query.cursor !== undefined && after === undefined)
      return refuse('bad_request', 'The cursor does not belong to this list. Reload the list.');
    const page = await deps.conversationMessages.pageMessages(conversationId, {
      descending: true,
      limit: query.limit ?? PAGE,
      ...(after !== undefined && {
        after: { sent_at: after[0], sequence: after[1], message_id: after[2] },
      }),
    });
    const next_cursor = nextCursor(page, (last) => [last.sent_at, last.sequence, last.message_id]);
    return done({ items: page.items.map(describeMessageItem).reverse(), next_cursor });
  });
}

type Place = readonly [sentAt: number, sequence: number, messageId: string];

function isPlace(place: unknown): place is Place {
  if (!Array.isArray(place) || place.length !== 3) return false;
  const [sentAt, sequence, messageId] = place as unknown[];
  const instant = Number.isSafeInteger(sentAt) && Math.abs(sentAt as number) <= 8.64e15;
  return instant && Number.isSafeInteger(sequence) && typeof messageId === 'string';
}
