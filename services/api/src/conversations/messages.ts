import { messageQuery } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import * as z from 'zod';
import type { Binder } from '../http/bind.ts';
import { nextCursor, placeTime, readCursor } from '../http/cursor.ts';
import { done, notFound } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { describeMessageItem } from './describe-item.ts';

const PAGE = 50;
const PLACE = z.tuple([placeTime, z.int(), z.string()]);

/** The messages of a conversation: the newest page first, and in each page the oldest message first. */
export function messagesRoute({ guarded }: Binder, deps: RouteDeps): void {
  guarded(ROUTES.conversations.messages, { query: messageQuery }, async ({ who, params, query }) => {
    const { conversationId = '' } = params;
    const conversation = await deps.conversations.findConversation(who.accountId, conversationId);
    if (conversation === undefined) return notFound('conversation');
    const from = readCursor(query.cursor, PLACE);
    if (from.outcome === 'refused') return from;
    const { place: after } = from;
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
