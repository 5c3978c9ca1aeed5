import type { ConversationLinks } from './conversations/conversation-links.ts';
import type { ConversationMessages } from './conversations/conversation-messages.ts';
import type { Conversations } from './conversations/conversations.ts';
import type { DeletedConversations } from './conversations/deleted-conversations.ts';
import type { LeadSegments } from './leads/lead-segments.ts';
import type { WebhookMessages } from './outbound/webhook-messages.ts';
import type { Sources } from './sources/sources.ts';

/** The records beside leads that lists show in the order of their changes. */
interface Listed {
  readonly conversations: Conversations;
  readonly conversationLinks: ConversationLinks;
  readonly conversationMessages: ConversationMessages;
  readonly deletedConversations: DeletedConversations;
  readonly webhookMessages: WebhookMessages;
  readonly sources: Sources;
}

/** Runs the writes of these records within segments, so that no list passes one that is under way, in whatever process. */
export function withinSegments(stored: Listed, { within }: Pick<LeadSegments, 'within'>): Listed {
  const { conversations, conversationLinks, conversationMessages, deletedConversations } = stored;
  const { webhookMessages, sources } = stored;
  return {
    conversations: {
      ...conversations,
      writeConversation: (...write) => within(() => conversations.writeConversation(...write)),
    },
    conversationLinks: {
      ...conversationLinks,
      endWait: (...write) => within(() => conversationLinks.endWait(...write)),
    },
    conversationMessages: {
      ...conversationMessages,
      writeMessages: async (writes) =>
        writes.length === 0 ? 'written' : within(() => conversationMessages.writeMessages(writes)),
      settleReply: (...end) => within(() => conversationMessages.settleReply(...end)),
      failReplies: (...end) => within(() => conversationMessages.failReplies(...end)),
    },
    deletedConversations: {
      ...deletedConversations,
      failReplies: (...end) => within(() => deletedConversations.failReplies(...end)),
    },
    webhookMessages: {
      ...webhookMessages,
      logAttempts: async (rows) => {
        if (rows.length > 0) await within(() => webhookMessages.logAttempts(rows));
      },
      logDiscarded: async (messages) => {
        if (messages.length > 0) await within(() => webhookMessages.logDiscarded(messages));
      },
      eraseRecords: (...erased) => within(() => webhookMessages.eraseRecords(...erased)),
    },
    sources: {
      ...sources,
      insertSource: (source) => within(() => sources.insertSource(source)),
      changeSource: (...change) => within(() => sources.changeSource(...change)),
    },
  };
}
