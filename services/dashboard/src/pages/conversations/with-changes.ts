import type { ConversationStatus } from '@sluice/contract/conversation/conversation';
import { CONVERSATION_ORDER } from '@sluice/dashboard-api/conversation-order';
import type { ConversationItem, MessageItem } from '@sluice/dashboard-api/conversations';

/** Selects what the list shows. An absent field selects any. */
export interface ListFilter {
  readonly status?: ConversationStatus;
  readonly channel_id?: string;
}

/** Adds changes to the known ones, and keeps the newest version of each. The same array if nothing is new. */
export function collected<Item extends ConversationItem>(
  before: readonly Item[],
  news: readonly Item[],
): readonly Item[] {
  const newest = newestOf(before);
  const fresh = news.filter((item) => {
    const known = newest.get(item.conversation_id);
    return known === undefined || known.updated_at < item.updated_at;
  });
  return fresh.length === 0 ? before : [...newestOf([...before, ...fresh]).values()];
}

interface ListInput {
  readonly loaded: readonly ConversationItem[];
  readonly changed: readonly ConversationItem[];
  readonly filter: ListFilter;
  /** Further pages follow the loaded ones. */
  readonly hasMore: boolean;
}

/** The loaded pages with what has changed since. A conversation that now belongs to a later page is left to it. */
export function withChanges({ loaded, changed, filter, hasMore }: ListInput): readonly ConversationItem[] {
  const last = loaded.at(-1);
  const all = newestOf([...loaded, ...changed]).values();
  return [...all]
    .filter((item) => matches(item, filter))
    .filter((item) => !hasMore || last === undefined || inListOrder(item, last) <= 0)
    .sort(inListOrder);
}

function newestOf<Item extends ConversationItem>(items: readonly Item[]): Map<string, Item> {
  const newest = new Map<string, Item>();
  for (const item of items) {
    const known = newest.get(item.conversation_id);
    if (known === undefined || known.updated_at < item.updated_at) newest.set(item.conversation_id, item);
  }
  return newest;
}

function matches(item: ConversationItem, { status, channel_id }: ListFilter): boolean {
  return (
    (status === undefined || item.status === status) &&
    (channel_id === undefined || item.channel_id === channel_id)
  );
}

/** The order of the server: by status; who waits for an agent by the request, and the rest with the latest change first. */
function inListOrder(one: ConversationItem, other: ConversationItem): number {
  const rank = ({ status }: ConversationItem) => CONVERSATION_ORDER.indexOf(status);
  const byRank = rank(one) - rank(other);
  if (byRank !== 0) return byRank;
  if (one.status === 'handoff_requested')
    return (
      descending(other.handoff.requested_at ?? '', one.handoff.requested_at ?? '') ||
      descending(other.conversation_id, one.conversation_id)
    );
  return (
    descending(one.updated_at, other.updated_at) || descending(one.conversation_id, other.conversation_id)
  );
}

function descending(one: string, other: string): number {
  return one === other ? 0 : one < other ? 1 : -1;
}

/**
 * Adds messages to a thread. A later version of a message replaces the earlier one. Sorted by time, and messages of the
 * same time stay in the order in which the server sent them.
 */
export function withMessages(
  before: readonly MessageItem[],
  news: readonly MessageItem[],
): readonly MessageItem[] {
  const newest = new Map(news.map((message) => [message.message_id, message]));
  const kept = before.filter(({ message_id }) => !newest.has(message_id));
  return [...kept, ...news].sort((one, other) => Date.parse(one.sent_at) - Date.parse(other.sent_at));
}

/** Whether a page of the newest messages continues the thread, with no message missing in between. */
export function continues(thread: readonly MessageItem[], newest: readonly MessageItem[]): boolean {
  if (thread.length === 0 || newest.length === 0) return true;
  const known = new Set(thread.map(({ message_id }) => message_id));
  return newest.some(({ message_id }) => known.has(message_id));
}
