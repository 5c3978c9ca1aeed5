import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { setUpOf } from '@sluice/signature/presets/set-up';
import { dialogOnDemand } from '../../ui/on-demand.tsx';

const ChangeSenderDialog = dialogOnDemand(
  async () => (await import('./change-sender-dialog.tsx')).ChangeSenderDialog,
  { afresh: true },
);

interface SenderFieldProps {
  readonly source: SourceWithActivity;
  readonly mayChange: boolean;
}

/** Names what sends to a source. An admin can change it. */
export function SenderField({ source, mayChange }: SenderFieldProps) {
  const [changing, change] = useDisclosure(false);
  return (
    <div className="row">
      <span>{setUpOf(source.sender)?.title ?? 'My own code, with the signature of Sluice'}</span>
      {mayChange && (
        <>
          <Button variant="default" size="xs" onClick={change.open}>
            Change sender
          </Button>
          <ChangeSenderDialog opened={changing} source={source} onClose={change.close} />
        </>
      )}
    </div>
  );
}
