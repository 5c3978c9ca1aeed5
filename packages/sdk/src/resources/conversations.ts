import { bodyOf, type Http, keyHeader, signalOf } from '../http.ts';
import type { CallOptions, PostOptions } from '../options.ts';
import { type List, paginate } from '../paginate.ts';
import { pageQuery } from '../query.ts';
import type {
  Conversation,
  FiltersOf,
  HandoffChange,
  ListedMessage,
  NamedItem,
  Reply,
  WrittenConversation,
  WrittenMessage,
} from '../types.ts';

const CONVERSATIONS = '/api/public/conversations';
const CONVERSATION = '/api/public/conversations/{conversationId}';

/** The conversations of all channels. */
export function conversationsOf(http: Http) {
  return {
    list(filters: FiltersOf<'listConversations'> = {}, options: CallOptions = {}): List<Conversation> {
      return paginate((cursor) => {
        const query = pageQuery<'listConversations'>(filters, cursor);
        return bodyOf(http.GET(CONVERSATIONS, { params: { query }, ...signalOf(options) }));
      });
    },
    get(conversationId: string, options: CallOptions = {}): Promise<Conversation> {
      return bodyOf(http.GET(CONVERSATION, { params: { path: { conversationId } }, ...signalOf(options) }));
    },
    /** The messages of a conversation, oldest first. */
    messages(
      conversationId: string,
      filters: FiltersOf<'listMessages'> = {},
      options: CallOptions = {},
    ): List<ListedMessage> {
      return paginate((cursor) => {
        const query = pageQuery<'listMessages'>(filters, cursor);
        const params = { path: { conversationId }, query };
        return bodyOf(http.GET(`${CONVERSATION}/messages`, { params, ...signalOf(options) }));
      });
    },
    /** Replies to the visitor, while the status is `handoff_active`. */
    reply(conversationId: string, reply: Reply, options: PostOptions = {}): Promise<WrittenMessage> {
      const params = { path: { conversationId }, header: keyHeader(options) };
      return bodyOf(http.POST(`${CONVERSATION}/messages`, { params, body: reply, ...signalOf(options) }));
    },
    /** Accepts a handoff while the status is `handoff_requested`, or ends it while it is `handoff_active`. */
    handoff(
      conversationId: string,
      change: HandoffChange,
      options: PostOptions = {},
    ): Promise<WrittenConversation> {
      const params = { path: { conversationId }, header: keyHeader(options) };
      return bodyOf(http.POST(`${CONVERSATION}/handoff`, { params, body: change, ...signalOf(options) }));
    },
    channels(filters: FiltersOf<'listChannels'> = {}, options: CallOptions = {}): List<NamedItem> {
      return paginate((cursor) => {
        const query = pageQuery<'listChannels'>(filters, cursor);
        return bodyOf(http.GET('/api/public/channels', { params: { query }, ...signalOf(options) }));
      });
    },
  };
}
