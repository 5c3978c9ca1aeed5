import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead, useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useToast } from '../../ui/toaster.tsx';

const REFRESH_MS = 1000;

const REASONS: Record<NonNullable<DeliveryDetail['not_reprocessable']>, string> = {
  not_verified: "Cannot be reprocessed: the signature wasn't valid.",
  no_request: 'Created in the dashboard; there is no request to replay.',
  no_body: 'Cannot be reprocessed: the body was not stored.',
  not_an_action: 'Cannot be reprocessed: the body is not an action.',
  counted: 'Cannot be reprocessed: this row counts many requests.',
};

/** Reloads the delivery until it names the new one, because a worker may write the new row late. */
function useUntilLogged({ delivery, reprocessed_as }: DeliveryDetail, made: string | undefined): void {
  const awaited = made !== undefined && !reprocessed_as.includes(made);
  const input = { params: { deliveryId: delivery.delivery_id } };
  useRead(ROUTES.deliveries.show, input, { enabled: awaited, everyMs: REFRESH_MS });
}

interface ReprocessButtonProps {
  readonly detail: DeliveryDetail;
}

export function ReprocessButton({ detail }: ReprocessButtonProps) {
  const [asking, ask] = useDisclosure(false);
  const toast = useToast();
  const reprocess = useWrite(ROUTES.deliveries.reprocess, [ROUTES.deliveries.show]);
  const { delivery, not_reprocessable: reason } = detail;
  useUntilLogged(detail, reprocess.data?.delivery_id);
  const onConfirm = () =>
    reprocess.mutate(
      { params: { deliveryId: delivery.delivery_id } },
      {
        onSuccess: ({ delivery_id: id }) => {
          ask.close();
          toast(
            <>
              Reprocessed as <NewDeliveryLink deliveryId={id} />
            </>,
            { stays: true },
          );
        },
      },
    );
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="rotate" size={16} />}
        disabled={reason !== null}
        onClick={ask.open}
      >
        Reprocess
      </Button>
      {reason !== null && <span className="dimmed small">{REASONS[reason]}</span>}
      <ConfirmDialog
        opened={asking}
        title="Reprocess this delivery?"
        confirm="Reprocess"
        danger={false}
        pending={reprocess.isPending}
        error={reprocess.error}
        onConfirm={onConfirm}
        onClose={ask.close}
      >
        <p>
          The {delivery.action} of “{delivery.title}” is applied again as a new action. It overrides later
          changes. A new row in the log links to this one.
        </p>
      </ConfirmDialog>
    </>
  );
}
