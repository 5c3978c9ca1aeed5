// biome-ignore-all lint/a11y/useSemanticElements: rows are virtualized and positioned absolutely, which a <table> does not support.
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows are focusable; the header row has no action.
import { Button } from '@mantine/core';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { isDialogOpen, isTyping } from '../../ui/keyboard.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { foldBursts, type Line } from './bursts.ts';
import classes from './delivery-list.module.css';
import { BurstRow, DeliveryRow, type Names } from './delivery-row.tsx';

const WIDE_ROW_PX = 36;
const NARROW_ROW_PX = 76;
const OVERSCAN = 12;
/** Loads more when fewer rows than this are left below. */
const AHEAD = 20;
/** A burst may last for hours. Longer runs load further rows on request only. */
const LONG_BURST = 1000;

const COLUMNS = ['Time', 'Action', 'Status', 'Title', 'Outcome', 'Latency', 'Size', 'Delivery id'];

interface DeliveryListProps {
  readonly rows: readonly DeliveryItem[];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Older rows failed to load. They are asked for again on request only: a loop of requests would not help. */
  readonly moreError: Error | null;
  readonly onMore: () => void;
  readonly onOpen: (deliveryId: string) => void;
  readonly names?: Names | undefined;
}

/** Lists any number of rows. Only visible rows are in the document. */
export function DeliveryList(props: DeliveryListProps) {
  const { rows, hasMore, isLoadingMore, moreError, onMore, onOpen, names } = props;
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => foldBursts(rows, opened), [rows, opened]);
  useEffect(() => setOffset(offsetFromTop(body.current)), []);
  const list = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => (isNarrow() ? NARROW_ROW_PX : WIDE_ROW_PX),
    overscan: OVERSCAN,
    scrollMargin: offset,
    getItemKey: (index) => lines[index]?.id ?? index,
  });
  const { current, setCurrent } = useRowKeys({
    ids: useMemo(() => lines.map(({ id }) => id), [lines]),
    onMove: (index) => list.scrollToIndex(index),
  });
  const toggle = ({ id, burst, isOpen }: Line) => {
    const ids = (burst ?? []).map(({ delivery_id }) => delivery_id);
    setOpened((before) => {
      const others = [...before].filter((one) => !ids.includes(one));
      return new Set(isOpen ? others : [...others, ...ids.slice(-1)]);
    });
    setCurrent(id);
  };
  const inSight = list.getVirtualItems();
  const last = inSight.at(-1)?.index ?? 0;
  const isLongBurst = (lines.at(-1)?.burst?.length ?? 0) >= LONG_BURST;
  const loadsAhead = hasMore && !isLoadingMore && !isLongBurst && moreError === null;
  useEffect(() => {
    if (loadsAhead && last >= lines.length - AHEAD) onMore();
  }, [loadsAhead, last, lines.length, onMore]);
  return (
    <div
      role="table"
      aria-label="Recent Deliveries"
      aria-rowcount={hasMore ? -1 : lines.length + 1}
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
          const line = lines[index];
          if (line === undefined) return null;
          const { id, item, burst, isOpen } = line;
          const place = {
            index,
            top: start - offset,
            measure: list.measureElement,
            isCurrent: current === null ? index === 0 : current === id,
            onFocus: setCurrent,
          };
          return burst === null ? (
            <DeliveryRow
              key={key}
              item={item}
              onOpen={onOpen}
              source={names?.get(item.source_id)}
              {...place}
            />
          ) : (
            <BurstRow
              key={key}
              id={id}
              burst={burst}
              isOpen={isOpen}
              goesOn={hasMore && burst.at(-1) === rows.at(-1)}
              onToggle={() => toggle(line)}
              {...place}
            />
          );
        })}
      </div>
      {isLoadingMore && <p className={classes.more}>Loading more…</p>}
      {moreError !== null && !isLoadingMore && <ErrorNote error={moreError} onRetry={onMore} />}
      {isLongBurst && hasMore && !isLoadingMore && moreError === null && (
        <p className={classes.more}>
          <Button size="xs" variant="default" onClick={onMore}>
            Load older deliveries
          </Button>
        </p>
      )}
    </div>
  );
}

function offsetFromTop(element: HTMLElement | null): number {
  return element === null ? 0 : element.getBoundingClientRect().top + window.scrollY;
}

interface RowKeysInput {
  /** The id of each row. */
  readonly ids: readonly string[];
  readonly onMove: (index: number) => void;
}

/**
 * Moves between rows with `j` and `k`, and with the arrow keys on a row. The current row is tracked by its id,
 * because rows move.
 */
function useRowKeys({ ids, onMove }: RowKeysInput) {
  const [current, setCurrent] = useState<string | null>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
    const step = stepOf(event);
    if (step === 0 || ids.length === 0) return;
    event.preventDefault();
    const before = current === null ? -1 : ids.indexOf(current);
    const index = before === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, before + step));
    const id = ids[index] as string;
    setCurrent(id);
    onMove(index);
    focusRow(id);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return { current, setCurrent };
}

function stepOf(event: KeyboardEvent): number {
  if (event.key === 'j') return 1;
  if (event.key === 'k') return -1;
  const onRow = event.target instanceof HTMLElement && event.target.dataset.row !== undefined;
  if (!onRow) return 0;
  return event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
}

const TRIES = 10;

/** Focuses a row. A row out of view appears some frames after the list scrolled to it. */
export function focusRow(deliveryId: string, tries = TRIES): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(deliveryId)}"]`);
  if (row !== null) row.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(deliveryId, tries - 1));
}

/**
 * Returns whether the window is so narrow that the deliveries are shown as cards. The style sheet has the same width.
 */
function isNarrow(): boolean {
  return window.matchMedia('(max-width: 52rem)').matches;
}
