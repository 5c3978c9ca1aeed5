// biome-ignore-all lint/a11y/useSemanticElements: rows are virtualized and positioned absolutely, which a <table> does not support.
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { KeyboardEvent, ReactNode } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { Chip, OutcomeText, StatusChip } from '../../ui/chip.tsx';
import { duration, exactTime } from '../../ui/time.ts';
import { onRowClick, RowLink } from '../../ui/use-opened.tsx';
import { requestsIn } from './bursts.ts';
import classes from './delivery-list.module.css';
import { wrongFields } from './wrong-fields.ts';

/** Marks rows that no request made. */
const NO_REQUEST: Partial<Record<DeliveryItem['origin'], string>> = {
  dashboard: 'by an admin',
  csv: 'import',
  ical: 'import',
};

interface DeliveryRowProps extends RowPlace {
  readonly item: DeliveryItem;
  readonly onOpen: (deliveryId: string) => void;
  /** The name of its source, where rows of several are listed. */
  readonly source?: string | undefined;
}

export function DeliveryRow({ item, onOpen, source, ...place }: DeliveryRowProps) {
  const { delivery_id: id } = item;
  return (
    <RowFrame {...place} id={id} onOpen={() => onOpen(id)}>
      <span role="cell" className={classes.time}>
        <span className="nowrap">{exactTime(item.received_at, Date.now())}</span>{' '}
        <span className={`${classes.ago} dimmed`}>
          <Ago at={item.received_at} />
        </span>
      </span>
      <span role="cell" className={`${classes.action} ellipsis`} title={item.action ?? undefined}>
        {item.action ?? <span className="dimmed">–</span>}
      </span>
      <span role="cell" className={classes.status}>
        <StatusChip status={item.http_status} />
      </span>
      <span role="cell" className={`${classes.title} ellipsis`}>
        <RowLink name="delivery" id={id}>
          <Title item={item} />
        </RowLink>
        {source !== undefined && <span className="dimmed small"> · {source}</span>}
      </span>
      <span role="cell" className={classes.outcome}>
        <OutcomeText outcome={item.outcome} />
      </span>
      <span role="cell" className={`${classes.latency} number`}>
        {duration(item.latency_ms)}
      </span>
      <span role="cell" className={`${classes.size} number`}>
        {size(item.bytes)}
      </span>
      <span role="cell" className={classes.id}>
        <code className="ellipsis">{id}</code>
      </span>
    </RowFrame>
  );
}

/** The title, and why a request was rejected. */
function Title({ item }: { readonly item: DeliveryItem }) {
  const rejection = rejectionOf(item);
  const title = item.title ?? item.external_id;
  return (
    <>
      {title}
      {rejection !== null && (
        <span className={title ? 'dimmed small' : 'dimmed'} title={item.reason ?? undefined}>
          {title && ' · '}
          {rejection}
        </span>
      )}
      {!title && rejection === null && <span className="dimmed">–</span>}
      {item.count > 1 && (
        <>
          {' '}
          <Chip tone="warn">×{item.count.toLocaleString('en')}</Chip>
        </>
      )}
      {NO_REQUEST[item.origin] !== undefined && item.reprocess_of === null && (
        <>
          {' '}
          <Chip tone="quiet">{NO_REQUEST[item.origin]}</Chip>
        </>
      )}
      {item.reprocess_of !== null && (
        <>
          {' '}
          <Chip tone="info" icon="rotate">
            reprocessed
          </Chip>
        </>
      )}
    </>
  );
}

/** The code in words, with the fields that failed; null if the request was not rejected. */
function rejectionOf({ code, reason }: DeliveryItem): string | null {
  if (code === null) return null;
  const words = code.replaceAll('_', ' ');
  const fields = code === 'validation_failed' && reason !== null ? wrongFields(reason) : [];
  return fields.length === 0 ? words : `${words}: ${fields.join(', ')}`;
}

interface BurstRowProps extends RowPlace {
  readonly id: string;
  readonly burst: readonly DeliveryItem[];
  readonly isOpen: boolean;
  /** Whether the log may have more rows of this burst that are not loaded yet. */
  readonly goesOn: boolean;
  readonly onToggle: () => void;
}

/** One row for many consecutive 429s. Opening it shows each of them below; opening it again hides them. */
export function BurstRow({ id, burst, isOpen, goesOn, onToggle, ...place }: BurstRowProps) {
  return (
    <RowFrame {...place} id={id} onOpen={onToggle}>
      <span role="cell" className={classes.time}>
        <Ago at={burst[0]?.received_at ?? null} inLog />
      </span>
      <span role="cell" className={classes.action}>
        <span className="dimmed">–</span>
      </span>
      <span role="cell" className={classes.status}>
        <StatusChip status={429} />
      </span>
      <span role="cell" className={`${classes.title} ellipsis`}>
        <span className="dimmed">rate limited</span>{' '}
        <Chip tone="warn">
          ×{requestsIn(burst).toLocaleString('en')}
          {goesOn && '+'}
        </Chip>
      </span>
      <span role="cell" className={classes.outcome}>
        {isOpen ? 'Hide rows' : 'Show rows'}
      </span>
    </RowFrame>
  );
}

/** The position of a row, and whether it is the current one. */
interface RowPlace {
  readonly index: number;
  readonly top: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly isCurrent: boolean;
  readonly onFocus: (deliveryId: string) => void;
}

interface RowFrameProps extends RowPlace {
  readonly id: string;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** The common part of all rows: position, click and Enter. */
function RowFrame({ id, index, top, measure, isCurrent, onFocus, onOpen, children }: RowFrameProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen();
  };
  return (
    <div
      ref={measure}
      role="row"
      data-index={index}
      data-row={id}
      aria-rowindex={index + 2}
      tabIndex={isCurrent ? 0 : -1}
      className={`${classes.row} ${classes.item}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onRowClick(onOpen)}
      onKeyDown={onKeyDown}
      onFocus={() => onFocus(id)}
    >
      {children}
    </div>
  );
}

/** The names of sources and channels by id. */
export type Names = ReadonlyMap<string, string>;

const KIB = 1024;

/** Formats a size in bytes: 940 B, 1.2 KiB, 64 KiB. */
function size(bytes: number | null): string {
  if (bytes === null) return '–';
  if (bytes < KIB) return `${bytes} B`;
  const kib = bytes / KIB;
  return `${kib < 10 ? kib.toFixed(1) : Math.round(kib)} KiB`;
}
