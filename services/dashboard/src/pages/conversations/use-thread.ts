import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { continues, withMessages } from './with-messages.ts';

const PAGE = 50;
/** A delivery changes a message and not its conversation. So a pending reply is looked at again after this time, and so is a page that failed. */
const PENDING_EVERY_MS = 2000;
const MESSAGES = ROUTES.conversations.messages;

/**
 * The messages of a conversation: the newest page first, then older ones on request. Each change of the conversation
 * (`changedAt`) reads the newest page again, and so does a reply that is pending.
 */
export function useThread(conversationId: string, changedAt: string) {
  const params = { conversationId };
  const pages = useInfiniteQuery({
    queryKey: [MESSAGES.path, conversationId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        MESSAGES,
        { params, query: { limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    // A thread that was left may have changed by more than a page meanwhile.
    gcTime: 0,
  });
  const [newer, setNewer] = useState<readonly MessageItem[]>([]);
  const loaded = pages.data?.pages;
  const messages = useMemo(() => {
    const older = loaded?.toReversed().flatMap(({ items }) => items) ?? [];
    return withMessages(older, newer);
  }, [loaded, newer]);
  const isPending = messages.slice(-PAGE).some(({ delivery }) => delivery === 'pending');
  const newest = useQuery({
    queryKey: [MESSAGES.path, conversationId, 'newest', changedAt],
    queryFn: ({ signal }) => callApi(MESSAGES, { params, query: { limit: PAGE } }, signal),
    refetchInterval: ({ state }) => (isPending || state.error !== null ? PENDING_EVERY_MS : false),
    gcTime: 0,
  });
  const { refetch } = pages;
  const add = useEffectEvent((items: readonly MessageItem[]) => {
    if (continues(messages, items)) {
      setNewer((before) => withMessages(before, items));
      return;
    }
    setNewer([]);
    void refetch();
  });
  useEffect(() => {
    if (newest.data !== undefined) add(newest.data.items);
  }, [newest.data]);
  /** Shows a message at once, such as a reply that was just sent. */
  const show = (message: MessageItem) => setNewer((before) => withMessages(before, [message]));
  return { pages, messages, show };
}
