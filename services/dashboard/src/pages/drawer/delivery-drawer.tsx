import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Drawer } from '../../ui/modal.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Loaded } from '../../ui/states.tsx';

/** A failed delivery is a dead letter, which may be retried meanwhile. */
const FAILED_EVERY_MS = 3000;

const DeliveryDetails = onDemand(async () => (await import('./delivery-details.tsx')).DeliveryDetails);

interface DeliveryDrawerProps {
  readonly opened: boolean;
  /** null: closed. */
  readonly deliveryId: string | null;
  readonly mayChange: boolean;
  readonly onClose: () => void;
  readonly onOpen: (deliveryId: string) => void;
}

export function DeliveryDrawer({ opened, deliveryId, mayChange, onClose, onOpen }: DeliveryDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Delivery" size="40rem" returnFocus={false}>
      {deliveryId !== null && (
        <Content key={deliveryId} deliveryId={deliveryId} mayChange={mayChange} onOpen={onOpen} />
      )}
    </Drawer>
  );
}

interface ContentProps {
  readonly deliveryId: string;
  readonly mayChange: boolean;
  readonly onOpen: (deliveryId: string) => void;
}

function Content({ deliveryId, mayChange, onOpen }: ContentProps) {
  const detail = useRead(
    ROUTES.deliveries.show,
    { params: { deliveryId } },
    { everyMs: (data) => data?.delivery.outcome === 'failed' && FAILED_EVERY_MS },
  );
  return (
    <Loaded query={detail}>
      {(data) => <DeliveryDetails detail={data} mayChange={mayChange} onOpen={onOpen} />}
    </Loaded>
  );
}
