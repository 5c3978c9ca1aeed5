// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the document and the others are placed by hand, which no <table> can do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows take the focus; their head is nothing to act on.
import type { DeliveryItem } from '@sluice/contract/dashboard/deliveries';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { isNarrow } from '../../ui/is-narrow.ts';
import classes from './delivery-list.module.css';
import { DeliveryRow } from './delivery-row.tsx';
import { useRowKeys } from './use-row-keys.ts';

const WIDE_ROW_PX = 44;
const NARROW_ROW_PX = 76;
const OVERSCAN = 12;
/** Loads on when so few rows are left below. */
const AHEAD = 20;

const COLUMNS = ['Time', 'Action', 'Status', 'Title', 'Outcome', 'Latency', 'Delivery id'];

interface DeliveryListProps {
  readonly rows: readonly DeliveryItem[];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
  readonly onOpen: (deliveryId: string) => void;
}

/** Any number of rows: only those in sight are in the document. */
export function DeliveryList({ rows, hasMore, isLoadingMore, onMore, onOpen }: DeliveryListProps) {
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useEffect(() => setOffset(offsetFromTop(body.current)), []);
  const list = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isNarrow() ? NARROW_ROW_PX : WIDE_ROW_PX),
    overscan: OVERSCAN,
    scrollMargin: offset,
    getItemKey: (index) => rows[index]?.delivery_id ?? index,
  });
  const { current, setCurrent } = useRowKeys({ rows, onMove: (index) => list.scrollToIndex(index) });
  const inSight = list.getVirtualItems();
  const last = inSight.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - AHEAD) onMore();
  }, [hasMore, isLoadingMore, last, rows.length, onMore]);
  return (
    <div
      role="table"
      aria-label="Recent Deliveries"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      className={classes.table}
    >
      <div role="rowgroup">
        <div role="row" className={`${classes.row} ${classes.head}`}>
          {COLUMNS.map((name) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={body} className={classes.body} style={{ height: list.getTotalSize() }}>
        {inSight.map(({ key, index, start }) => {
          const item = rows[index];
          if (item === undefined) return null;
          return (
            <DeliveryRow
              key={key}
              item={item}
              index={index}
              top={start - offset}
              measure={list.measureElement}
              isCurrent={current === null ? index === 0 : current === item.delivery_id}
              onFocus={setCurrent}
              onOpen={onOpen}
            />
          );
        })}
      </div>
      {isLoadingMore && <p className={classes.more}>Loading more…</p>}
    </div>
  );
}

function offsetFromTop(element: HTMLElement | null): number {
  return element === null ? 0 : element.getBoundingClientRect().top + window.scrollY;
}
