import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { ConversationChanges, ConversationItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { collected, type ListFilter, withChanges } from './with-changes.ts';

const PAGE = 50;
/** More changes than this, and the list is loaded again. */
const KEPT = 500;
/** Changes do not show what was deleted. So the list is also read again after this time, and when the tab is opened again. */
const AGAIN_MS = MINUTE_MS;

/** A change, and when this page read it. */
interface Change extends ConversationItem {
  readonly readAt: number;
}

/** The list under a filter, live, and the newest change of any conversation. */
export function useConversations(filter: ListFilter) {
  const changes = useChanges();
  const pages = useInfiniteQuery({
    queryKey: [ROUTES.conversations.list.path, filter],
    queryFn: async ({ pageParam, signal }) => {
      const readAt = Date.now();
      const query = { ...filter, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) };
      return { ...(await callApi(ROUTES.conversations.list, { query }, signal)), readAt };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    refetchInterval: AGAIN_MS,
    // Changes are read from a time on. A list that was read before that time would miss what happened between.
    enabled: changes.isFetched,
  });
  const hasTime = useRef(false);
  const [changed, setChanged] = useState<readonly Change[]>([]);
  const onChanges = useEffectEvent((news: NonNullable<typeof changes.data>) => {
    // The first read of the changes had failed, and the list was loaded meanwhile.
    if (!hasTime.current && pages.isFetched) void pages.refetch();
    hasTime.current = true;
    const fresh = news.items.map((item) => ({ ...item, readAt: Date.now() }));
    const all = collected(changed, fresh);
    const tooMany = news.more || all.length > KEPT;
    if (tooMany) void pages.refetch();
    setChanged(tooMany ? fresh : all);
  });
  useEffect(() => {
    if (changes.data !== undefined) onChanges(changes.data);
  }, [changes.data]);
  const loaded = pages.data?.pages;
  const listReadAt = loaded?.[0]?.readAt ?? 0;
  const items = useMemo(
    () =>
      withChanges({
        loaded: loaded?.flatMap((page) => page.items) ?? [],
        // The list has the earlier ones. A conversation that it does not have was deleted since.
        changed: changed.filter(({ readAt }) => readAt >= listReadAt),
        filter,
        hasMore: pages.hasNextPage,
      }),
    [loaded, listReadAt, changed, filter, pages.hasNextPage],
  );
  /** When the conversation last changed, as far as the changes show. */
  const changedAt = (id: string) => changed.find(({ conversation_id }) => conversation_id === id)?.updated_at;
  return { pages, items, changedAt };
}

/**
 * A new message appears within this time and that of one request. Polling is cheaper here than a stream: one read of an
 * index, no connection to keep, and a hidden tab asks for nothing.
 */
const EVERY_MS = 1000;

/** Reads what has changed since the last read, every second while the tab is visible. */
function useChanges() {
  const since = useRef<string>(undefined);
  return useQuery({
    queryKey: [ROUTES.conversations.changes.path],
    queryFn: async ({ signal }): Promise<ConversationChanges> => {
      const query = since.current === undefined ? {} : { since: since.current };
      const changes = await callApi(ROUTES.conversations.changes, { query }, signal);
      since.current = changes.until;
      return changes;
    },
    refetchInterval: EVERY_MS,
    retry: false,
    gcTime: 0,
  });
}
