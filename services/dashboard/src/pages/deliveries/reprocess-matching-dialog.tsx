import type { DeliveryCount } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Checkbox } from '../../ui/checkbox.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type Filters, toQuery } from './filter.ts';
import { ReprocessProgress } from './reprocess-progress.tsx';
import { useReprocessMatching } from './use-reprocess-matching.ts';

interface ReprocessMatchingDialogProps {
  readonly sourceId: string;
  readonly filters: Filters;
  readonly title?: string;
  readonly onClose: () => void;
}

/** Asks, then reprocesses all matching deliveries, and shows the progress and what was not reprocessed. */
export function ReprocessMatchingDialog({
  sourceId,
  filters,
  title = 'Reprocess all matching deliveries?',
  onClose,
}: ReprocessMatchingDialogProps) {
  const query = toQuery(sourceId, filters);
  const { run, progress } = useReprocessMatching();
  const count = useRead(ROUTES.deliveries.count, { query });
  const [skipDone, setSkipDone] = useState(true);
  // The number that was confirmed. The count goes on changing while the run lasts.
  const [total, setTotal] = useState(0);
  const able = count.data?.reprocessable ?? 0;
  const done = count.data?.done ?? 0;
  const wanted = skipDone ? able - done : able;
  const isOff = count.data !== undefined && (wanted === 0 || able > REPROCESS_LIMIT);
  const close = () => {
    void count.refetch();
    onClose();
  };
  const onConfirm = () => {
    if (count.data === undefined) return;
    setTotal(able);
    run.mutate({ filter: query, expected: able, skipDone }, { onError: () => void count.refetch() });
  };
  if (run.isPending || run.isSuccess)
    return (
      <Modal opened onClose={close} title="Reprocess deliveries" size="md">
        <ReprocessProgress {...progress} total={total} isDone={run.isSuccess} onClose={close} />
      </Modal>
    );
  return (
    <ConfirmDialog
      opened
      title={title}
      confirm={isOff ? 'Close' : `Reprocess ${number(wanted)}`}
      danger={false}
      stays={false}
      pending={count.data === undefined}
      error={run.error}
      onConfirm={isOff ? close : onConfirm}
      onClose={close}
    >
      <Loaded query={count}>{(data) => <Effect {...data} />}</Loaded>
      {done > 0 && (
        <Checkbox
          checked={skipDone}
          onChange={(event) => setSkipDone(event.currentTarget.checked)}
          label={`Skip the ${number(done)} that ${done === 1 ? 'was' : 'were'} reprocessed before`}
        />
      )}
    </ConfirmDialog>
  );
}

function Effect({ matching, reprocessable }: DeliveryCount) {
  return (
    <>
      <p>
        <strong>{number(matching)}</strong> {matching === 1 ? 'delivery matches' : 'deliveries match'} the
        filters, <strong>{number(reprocessable)}</strong> of them can be reprocessed.
      </p>
      {reprocessable > REPROCESS_LIMIT ? (
        <p>
          At most {number(REPROCESS_LIMIT)} can be reprocessed at once. Narrow the filters first, for example
          by time.
        </p>
      ) : (
        <p className="dimmed">
          Each delivery is applied again as a new action, in the original order. It appears as a new row that
          links to the old one. Events that have changed since then get the old content back. Requests without
          a valid signature are never reprocessed.
        </p>
      )}
    </>
  );
}

function number(value: number): string {
  return value.toLocaleString('en');
}
