import type { MessageItem } from '@sluice/dashboard-api/conversations';

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
