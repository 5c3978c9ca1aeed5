import type { DeliveryItem, LiveDeliveries } from '@sluice/dashboard-api/deliveries';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Filters, matches } from './filter.ts';
import { type Connection, openLiveStream } from './live-stream.ts';

/** The number of live deliveries to keep. Older ones are loaded in pages. */
const KEPT = 1000;
const AT_TOP_PX = 120;
/** The pause between two reloads while deliveries arrive too fast to be sent one by one. */
const RELOAD_MS = 3000;

interface LiveInput {
  readonly sourceId: string;
  readonly filters: Filters;
  readonly onGap: () => void;
}

/**
 * Receives deliveries live, in arrival order. They appear immediately if the list is at its top and not paused.
 * Otherwise they are held back and counted, so that no row moves under the pointer.
 */
export function useLive({ sourceId, filters, onGap }: LiveInput) {
  const [connection, setConnection] = useState<Connection>('connecting');
  const [paused, setPaused] = useState(false);
  const [shown, setShown] = useState<readonly DeliveryItem[]>([]);
  const [held, setHeld] = useState<readonly DeliveryItem[]>([]);

  // The list is incomplete, and reloads once its rows may move. Until then the page offers to reload it.
  const isIncomplete = useRef(false);
  const [offersReload, setOffersReload] = useState(false);
  const reload = useRef<ReturnType<typeof setTimeout>>(undefined);

  const mayRowsMove = () => !paused && window.scrollY <= AT_TOP_PX;
  const reloadIfIncomplete = (may = mayRowsMove()) => {
    if (!isIncomplete.current) return;
    setOffersReload(!may);
    if (!may) return;
    isIncomplete.current = false;
    onGap();
  };
  const onDeliveries = useEffectEvent(({ items, omitted }: LiveDeliveries) => {
    const holds = !mayRowsMove();
    if (omitted > 0) {
      isIncomplete.current = true;
      if (holds) setOffersReload(true);
      else reload.current ??= setTimeout(reloadAfterGap, RELOAD_MS);
    }
    const news = items.filter((item) => matches(item, filters));
    if (news.length === 0) return;
    (holds ? setHeld : setShown)((before) => withNews(before, news));
  });
  const gap = useEffectEvent(() => {
    isIncomplete.current = true;
    reloadIfIncomplete();
  });
  const reloadAfterGap = useEffectEvent(() => {
    reload.current = undefined;
    reloadIfIncomplete();
  });
  useEffect(() => {
    const close = openLiveStream(sourceId, {
      onDeliveries: (news) => onDeliveries(news),
      onGap: () => gap(),
      onConnection: setConnection,
    });
    return () => {
      clearTimeout(reload.current);
      reload.current = undefined;
      close();
    };
  }, [sourceId]);
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
  return { connection, paused, shown, held: held.length, offersReload, release, resume, pause };
}

/** Appends deliveries. A newer version of a delivery replaces the older one. */
function withNews(before: readonly DeliveryItem[], news: readonly DeliveryItem[]): readonly DeliveryItem[] {
  const ids = new Set(news.map(({ delivery_id: id }) => id));
  const kept = before.filter(({ delivery_id: id }) => !ids.has(id));
  return [...kept, ...news].slice(-KEPT);
}
