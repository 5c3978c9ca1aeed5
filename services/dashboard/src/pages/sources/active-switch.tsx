import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ActiveSwitchProps {
  readonly source: Source;
  readonly mayChange: boolean;
}

/** Switches a source on or off after a dialog names the effect. */
export function ActiveSwitch({ source, mayChange }: ActiveSwitchProps) {
  // The value to confirm in the open dialog. It must not change when the source is switched meanwhile, here or by
  // another user.
  const [wanted, setWanted] = useState(!source.active);
  const [asking, ask] = useDisclosure(false);
  const change = useWrite(ROUTES.sources.setActive, [ROUTES.sources.list, ROUTES.sources.show]);
  const onConfirm = () =>
    change.mutate(
      { params: { sourceId: source.source_id }, body: { active: wanted } },
      { onSuccess: ask.close },
    );
  const { active, name } = source;
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
        onConfirm={onConfirm}
        onClose={ask.close}
      >
        {wanted ? (
          <p>
            Its signed requests are accepted again. Requests that were rejected meanwhile are not sent again
            automatically.
          </p>
        ) : (
          <p>
            Its requests get <strong>403 Source inactive</strong> and change no event. Senders that do not
            retry lose what they send meanwhile.
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
