import { Button } from '@mantine/core';
import dialog from '../../ui/dialog.module.css';
import type { Progress } from './use-reprocess-matching.ts';

interface ReprocessProgressProps extends Progress {
  readonly total: number;
  readonly isDone: boolean;
  readonly onClose: () => void;
}

/** How far a run is, and why deliveries were not reprocessed. */
export function ReprocessProgress(props: ReprocessProgressProps) {
  const { reprocessed, skipped, reasons, isWaiting, total, isDone, onClose } = props;
  const refused = reasons.reduce((sum, { deliveries }) => sum + deliveries, 0);
  const settled = reprocessed + skipped + refused;
  return (
    <div className={dialog.body}>
      <div className={dialog.effect} role="status">
        <p>
          Reprocessed <strong>{number(reprocessed)}</strong> of {number(total)} deliveries
          {isDone ? '.' : '…'}
          {skipped > 0 && ` ${number(skipped)} were reprocessed before and are skipped.`}
        </p>
        <progress
          className={dialog.progress}
          value={isDone ? 1 : settled}
          max={isDone ? 1 : Math.max(1, total)}
          aria-label="Deliveries reprocessed"
        />
        {isWaiting && !isDone && <p>Too many actions are waiting to be applied. This continues soon.</p>}
        {reasons.length > 0 && (
          <>
            <p>
              <strong>{number(refused)}</strong> {refused === 1 ? 'was' : 'were'} not reprocessed. They stay
              in the log, and you can reprocess them later:
            </p>
            <ul>
              {reasons.map(({ detail, deliveries }) => (
                <li key={detail}>
                  {number(deliveries)}: {detail}
                </li>
              ))}
            </ul>
          </>
        )}
        {isDone ? (
          reprocessed > 0 && <p className="dimmed">New rows appear in the log.</p>
        ) : (
          <p className="dimmed">
            Closing this dialog stops after the current group. Reprocess again later to continue: what is done
            is skipped.
          </p>
        )}
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {isDone ? 'Close' : 'Stop'}
        </Button>
      </div>
    </div>
  );
}

function number(value: number): string {
  return value.toLocaleString('en');
}
