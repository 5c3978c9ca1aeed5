import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Switch } from '../../ui/switch.ts';

const RejectedMeanwhile = onDemand(async () => (await import('./rejected-meanwhile.tsx')).RejectedMeanwhile);

interface ActiveSwitchProps {
  readonly name: string;
  readonly active: boolean;
  readonly mayChange: boolean;
  readonly change: { readonly isPending: boolean; readonly error: Error | null; readonly reset: () => void };
  readonly onChange: (active: boolean, onSuccess: () => void) => void;
  /** The id of the source or channel. */
  readonly sourceId: string;
  /** Completes “Its requests get 403 and …”: "change no event". */
  readonly effectOff: string;
}

/** Switches a source or channel on or off after a dialog names the effect. */
export function ActiveSwitch(props: ActiveSwitchProps) {
  const { sourceId, name, active, mayChange, change, onChange, effectOff } = props;
  // The value to confirm in the open dialog. It must not change when it is switched meanwhile, here or by another user.
  const [wanted, setWanted] = useState(!active);
  const [asking, ask] = useDisclosure(false);
  const [offering, offer] = useDisclosure(false);
  const changed = () => {
    ask.close();
    if (wanted) offer.open();
  };
  return (
    <>
      <Switch
        checked={active}
        disabled={!mayChange}
        label={active ? 'on' : 'off'}
        aria-label={`${name} is ${active ? 'active' : 'inactive'}`}
        onChange={() => {
          change.reset();
          setWanted(!active);
          ask.open();
        }}
      />
      <ConfirmDialog
        opened={asking}
        title={wanted ? `Switch on “${name}”?` : `Switch off “${name}”?`}
        confirm={wanted ? 'Switch on' : 'Switch off'}
        danger={!wanted}
        pending={change.isPending}
        error={change.error}
        onConfirm={() => onChange(wanted, changed)}
        onClose={ask.close}
      >
        {wanted ? (
          <p>
            Its signed requests are accepted again. Requests that were rejected meanwhile can be reprocessed
            in the next step.
          </p>
        ) : (
          <p>
            Its requests get <strong>403 Source inactive</strong> and {effectOff}. Senders that do not retry
            lose what they send meanwhile.
          </p>
        )}
      </ConfirmDialog>
      {offering && <RejectedMeanwhile sourceId={sourceId} onClose={offer.close} />}
    </>
  );
}
