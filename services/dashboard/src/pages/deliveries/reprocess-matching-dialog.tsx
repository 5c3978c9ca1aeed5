import type { DeliveryCount } from '@sluice/contract/dashboard/deliveries';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { useRead, useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { type Filters, toQuery } from './filter.ts';

/** The API takes no more at a time; the oldest go first. */
const LIMIT = 1000;

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
            `Reprocessed ${number(reprocessed)}${refused === 0 ? '' : `, refused ${number(refused)}`}. They appear as new rows.`,
          );
          onClose();
        },
        onError: () => void count.refetch(),
      },
    );
  };
  const none = count.data?.reprocessable === 0;
  return (
    <ConfirmDialog
      opened
      title="Reprocess all that match"
      confirm={none ? 'Close' : `Reprocess ${number(Math.min(LIMIT, count.data?.reprocessable ?? 0))}`}
      danger={false}
      pending={reprocess.isPending || count.data === undefined}
      error={reprocess.error}
      onConfirm={none ? onClose : onConfirm}
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
      {reprocessable > LIMIT && <p>At most {number(LIMIT)} at a time: the oldest go first.</p>}
      <p className="dimmed">
        Each is applied again as a new action, in the order it came, and appears as a new row that names the
        old one. An event changed since then gets the old content back. Refused requests whose signature did
        not hold are never reprocessed.
      </p>
    </>
  );
}

function number(value: number): string {
  return value.toLocaleString('en');
}
