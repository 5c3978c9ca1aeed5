import type { DeliveryItem, LiveDeliveries } from '@sluice/dashboard-api/deliveries';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Filters, matches } from './filter.ts';
import { type Connection, openLiveStream } from './live-stream.ts';

/** Of what has arrived, so many are kept; older ones are loaded like all others. */
const KEPT = 1000;
const AT_TOP_PX = 120;
/** Between two reloads while more arrives than is told of row by row. */
const RELOAD_MS = 3000;

interface LiveInput {
  readonly sourceId: string;
  readonly filters: Filters;
  readonly onGap: () => void;
}

/**
 * Deliveries as they happen, in the order in which they come. They are shown at once only to who is at the top of the
 * list and has not paused; else they are held back and counted, so that no row moves away from under a pointer.
 */
export function useLive({ sourceId, filters, onGap }: LiveInput) {
  const [connection, setConnection] = useState<Connection>('connecting');
  const [paused, setPaused] = useState(false);
  const [shown, setShown] = useState<readonly DeliveryItem[]>([]);
  const [held, setHeld] = useState<readonly DeliveryItem[]>([]);

  // The list lacks something, and is loaded again once its rows may move.
  const lacks = useRef(false);
  const reload = useRef<ReturnType<typeof setTimeout>>(undefined);

  const loadWhatLacks = () => {
    if (!lacks.current) return;
    lacks.current = false;
    onGap();
  };
  const onDeliveries = useEffectEvent(({ items, omitted }: LiveDeliveries) => {
    const holds = paused || window.scrollY > AT_TOP_PX;
    if (omitted > 0) {
      lacks.current = true;
      if (!holds) reload.current ??= setTimeout(reloadIfLacking, RELOAD_MS);
    }
    const news = items.filter((item) => matches(item, filters));
    if (news.length === 0) return;
    (holds ? setHeld : setShown)((before) => withNews(before, news));
  });
  const gap = useEffectEvent(() => {
    lacks.current = paused;
    if (!paused) onGap();
  });
  const reloadIfLacking = useEffectEvent(() => {
    reload.current = undefined;
    if (!paused) loadWhatLacks();
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters, other rows.
  useEffect(() => {
    setShown([]);
    setHeld([]);
  }, [sourceId, filters]);

  const release = () => {
    setShown((before) => withNews(before, held));
    setHeld([]);
    loadWhatLacks();
  };
  const resume = () => {
    setPaused(false);
    release();
  };
  return { connection, paused, shown, held: held.length, release, resume, pause: () => setPaused(true) };
}

/** The same delivery again replaces what was known of it. */
function withNews(before: readonly DeliveryItem[], news: readonly DeliveryItem[]): readonly DeliveryItem[] {
  const ids = new Set(news.map(({ delivery_id: id }) => id));
  const kept = before.filter(({ delivery_id: id }) => !ids.has(id));
  return [...kept, ...news].slice(-KEPT);
}
