// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the document and the others are placed by hand, which no <table> can do.
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
  /** Maybe more of it are in the log, and not loaded yet. */
  readonly goesOn: boolean;
  readonly onToggle: () => void;
}

/** Many refusals for the rate, one after the other, in one row; opening it shows each below it, and opening it again none. */
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
