// biome-ignore-all lint/a11y/useSemanticElements: rows are virtualized and positioned absolutely, which a <table> does not support.
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { Ago } from '../../ui/ago.tsx';
import { Chip, OutcomeText, StatusChip } from '../../ui/chip.tsx';
import { size } from '../../ui/size.ts';
import { duration, exactTime } from '../../ui/time.ts';
import classes from './delivery-list.module.css';
import { RowFrame, type RowPlace } from './row-frame.tsx';
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
        <Title item={item} />
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
  return (
    <>
      {item.title}
      {rejection !== null && (
        <span className={item.title ? 'dimmed small' : 'dimmed'} title={item.reason ?? undefined}>
          {item.title && ' · '}
          {rejection}
        </span>
      )}
      {!item.title && rejection === null && <span className="dimmed">–</span>}
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
