// biome-ignore-all lint/a11y/useSemanticElements: rows are virtualized and positioned absolutely, which a <table> does not support.
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { Ago } from '../../ui/ago.tsx';
import { Chip, StatusChip } from '../../ui/chip.tsx';
import { requestsIn } from './bursts.ts';
import classes from './delivery-list.module.css';
import { RowFrame, type RowPlace } from './row-frame.tsx';

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
