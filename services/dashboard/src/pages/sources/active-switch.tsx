import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ActiveSwitchProps {
  readonly name: string;
  readonly active: boolean;
  readonly mayChange: boolean;
  readonly change: { readonly isPending: boolean; readonly error: Error | null; readonly reset: () => void };
  readonly onChange: (active: boolean, onSuccess: () => void) => void;
  /** Completes “Its requests get 403 and …”: "change no event". */
  readonly effectOff: string;
}

/** Switches a source or channel on or off after a dialog names the effect. */
export function ActiveSwitch({ name, active, mayChange, change, onChange, effectOff }: ActiveSwitchProps) {
  // The value to confirm in the open dialog. It must not change when it is switched meanwhile, here or by another user.
  const [wanted, setWanted] = useState(!active);
  const [asking, ask] = useDisclosure(false);
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
        onConfirm={() => onChange(wanted, ask.close)}
        onClose={ask.close}
      >
        {wanted ? (
          <p>
            Its signed requests are accepted again. Requests that were rejected meanwhile are not sent again
            automatically.
          </p>
        ) : (
          <p>
            Its requests get <strong>403 Source inactive</strong> and {effectOff}. Senders that do not retry
            lose what they send meanwhile.
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
