import type { DeliveryChanges, DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { type Filters, matches } from './filter.ts';

/** A new delivery appears within two seconds. A hidden tab does not poll. */
const EVERY_MS = 1500;
/** The number of live deliveries to keep. Older ones are loaded in pages. */
const KEPT = 1000;
const AT_TOP_PX = 120;

export type Connection = 'connecting' | 'live' | 'offline';

interface LiveInput {
  readonly sourceId: string;
  readonly filters: Filters;
  readonly loaded: readonly DeliveryItem[];
  /** Pages of the list are being read. */
  readonly isReloading: boolean;
  /** The list is incomplete: more has come than a poll reads. */
  readonly onGap: () => void;
}

/**
 * Polls for new deliveries. They appear immediately if the list is at its top and not paused. Otherwise they are held back and
 * counted, so that no row moves under the pointer.
 */
export function useLive({ sourceId, filters, loaded, isReloading, onGap }: LiveInput) {
  const changes = useChanges(sourceId);
  const [paused, setPaused] = useState(false);
  const [shown, setShown] = useState<readonly DeliveryItem[]>([]);
  const [held, setHeld] = useState<readonly DeliveryItem[]>([]);

  // The list is incomplete, and reloads once its rows may move. Until then the page offers to reload it.
  const isIncomplete = useRef(false);
  const [offersReload, setOffersReload] = useState(false);

  const mayRowsMove = () => !paused && window.scrollY <= AT_TOP_PX;
  const reloadIfIncomplete = (may = mayRowsMove()) => {
    if (!isIncomplete.current) return;
    setOffersReload(!may);
    // A read that is under way may have begun before the gap.
    if (!may || isReloading) return;
    isIncomplete.current = false;
    onGap();
  };
  const onChanges = useEffectEvent(({ items, more }: DeliveryChanges) => {
    const known = new Map([...loaded, ...shown, ...held].map((item) => [item.delivery_id, item]));
    const news = items.filter((item) => matches(item, filters) && !isSame(item, known.get(item.delivery_id)));
    // A new version of a visible row moves no row.
    const visible = new Set([...loaded, ...shown].map((item) => item.delivery_id));
    const mayMove = mayRowsMove();
    const isHeld = (item: DeliveryItem) => !mayMove && !visible.has(item.delivery_id);
    const [later, now] = [news.filter(isHeld), news.filter((item) => !isHeld(item))];
    if (now.length > 0) setShown((before) => withNews(before, now));
    if (later.length > 0) setHeld((before) => withNews(before, later));
    if (more) isIncomplete.current = true;
    reloadIfIncomplete();
  });
  useEffect(() => {
    if (changes.data !== undefined) onChanges(changes.data);
  }, [changes.data]);
  const onReloaded = useEffectEvent(() => reloadIfIncomplete());
  useEffect(() => {
    if (!isReloading) onReloaded();
  }, [isReloading]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters have other rows.
  useEffect(() => {
    setShown([]);
    setHeld([]);
  }, [sourceId, filters]);

  const release = () => {
    setShown((before) => withNews(before, held));
    setHeld([]);
    reloadIfIncomplete(true);
  };
  const resume = () => {
    setPaused(false);
    release();
  };
  const pause = () => setPaused(true);
  const connection: Connection = changes.isError ? 'offline' : changes.isPending ? 'connecting' : 'live';
  return { connection, paused, shown, held: held.length, offersReload, release, resume, pause };
}

/** Reads what has come since the last read. Without news, the data remains the same object. */
function useChanges(sourceId: string) {
  const client = useQueryClient();
  const queryKey = [ROUTES.deliveries.changes.path, sourceId];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const since = client.getQueryData<DeliveryChanges>(queryKey)?.until;
      const query = { source_id: sourceId, ...(since === undefined ? {} : { since }) };
      return callApi(ROUTES.deliveries.changes, { query }, signal);
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
    retry: false,
    gcTime: 0,
  });
}

/** A counter row grows for some seconds, and a failed delivery may succeed later. */
function isSame(item: DeliveryItem, known: DeliveryItem | undefined): boolean {
  return known !== undefined && known.count === item.count && known.outcome === item.outcome;
}

/** Appends deliveries. A newer version of a delivery replaces the older one. */
function withNews(before: readonly DeliveryItem[], news: readonly DeliveryItem[]): readonly DeliveryItem[] {
  const ids = new Set(news.map(({ delivery_id: id }) => id));
  const kept = before.filter(({ delivery_id: id }) => !ids.has(id));
  return [...kept, ...news].slice(-KEPT);
}
