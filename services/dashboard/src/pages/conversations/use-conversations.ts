import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { useChanges } from './use-changes.ts';
import { collected, type ListFilter, withChanges } from './with-changes.ts';

const PAGE = 50;
/** More changes than this, and the list is loaded again. */
const KEPT = 500;

/** The list under a filter, live, and the newest change of any conversation. */
export function useConversations(filter: ListFilter) {
  const changes = useChanges();
  const pages = useInfiniteQuery({
    queryKey: [ROUTES.conversations.list.path, filter],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        ROUTES.conversations.list,
        { query: { ...filter, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    refetchOnWindowFocus: false,
    // Changes are read from a time on. A list that was read before that time would miss what happened between.
    enabled: changes.isFetched,
  });
  const hasTime = useRef(false);
  const [changed, setChanged] = useState<readonly ConversationItem[]>([]);
  const onChanges = useEffectEvent((news: NonNullable<typeof changes.data>) => {
    // The first read of the changes had failed, and the list was loaded meanwhile.
    if (!hasTime.current && pages.isFetched) void pages.refetch();
    hasTime.current = true;
    const all = collected(changed, news.items);
    const tooMany = news.more || all.length > KEPT;
    if (tooMany) void pages.refetch();
    setChanged(tooMany ? news.items : all);
  });
  useEffect(() => {
    if (changes.data !== undefined) onChanges(changes.data);
  }, [changes.data]);
  const loaded = pages.data?.pages;
  const items = useMemo(
    () =>
      withChanges({
        loaded: loaded?.flatMap((page) => page.items) ?? [],
        changed,
        filter,
        hasMore: pages.hasNextPage,
      }),
    [loaded, changed, filter, pages.hasNextPage],
  );
  /** When the conversation last changed, as far as the changes show. */
  const changedAt = (id: string) => changed.find(({ conversation_id }) => conversation_id === id)?.updated_at;
  return { pages, items, changedAt, trouble: changes.error };
}
