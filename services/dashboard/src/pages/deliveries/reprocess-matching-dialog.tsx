import type { DeliveryCount } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead, useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { type Filters, toQuery } from './filter.ts';

interface ReprocessMatchingDialogProps {
  readonly sourceId: string;
  readonly filters: Filters;
  readonly onClose: () => void;
}

export function ReprocessMatchingDialog({ sourceId, filters, onClose }: ReprocessMatchingDialogProps) {
  const query = toQuery(sourceId, filters);
  const count = useRead(ROUTES.deliveries.count, { query });
  const reprocess = useWrite(ROUTES.deliveries.reprocessMatching, [ROUTES.deliveries.count]);
  const toast = useToast();
  const countAgain = () => {
    reprocess.reset();
    void count.refetch();
  };
  const onConfirm = () => {
    if (count.data === undefined) return;
    reprocess.mutate(
      { body: { filter: query, expected: count.data.reprocessable } },
      {
        onSuccess: ({ reprocessed, refused }) => {
          toast(
            `Reprocessed ${number(reprocessed)}${refused === 0 ? '' : `, rejected ${number(refused)}`}. New rows appear in the log.`,
          );
          onClose();
        },
        onError: () => void count.refetch(),
      },
    );
  };
  const able = count.data?.reprocessable ?? 0;
  const isOff = count.data !== undefined && (able === 0 || able > REPROCESS_LIMIT);
  return (
    <ConfirmDialog
      opened
      title="Reprocess all matching deliveries?"
      confirm={isOff ? 'Close' : `Reprocess ${number(able)}`}
      danger={false}
      pending={reprocess.isPending || count.data === undefined}
      error={reprocess.error}
      onConfirm={isOff ? onClose : onConfirm}
      onClose={() => {
        countAgain();
        onClose();
      }}
    >
      <Loaded query={count}>{(data) => <Effect {...data} />}</Loaded>
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
