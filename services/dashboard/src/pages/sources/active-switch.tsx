import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import type { Source } from '@sluice/contract/dashboard/sources';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ActiveSwitchProps {
  readonly source: Source;
  readonly mayChange: boolean;
}

/** Switches a source on or off, either way only after the effect was named. */
export function ActiveSwitch({ source, mayChange }: ActiveSwitchProps) {
  const [asking, ask] = useDisclosure(false);
  const change = useWrite(ROUTES.sources.setActive, [ROUTES.sources.list, ROUTES.sources.show]);
  const onConfirm = () =>
    change.mutate(
      { params: { sourceId: source.source_id }, body: { active: !source.active } },
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
          ask.open();
        }}
      />
      <ConfirmDialog
        opened={asking}
        title={active ? `Switch off “${name}”?` : `Switch on “${name}”?`}
        confirm={active ? 'Switch off' : 'Switch on'}
        danger={active}
        pending={change.isPending}
        error={change.error}
        onConfirm={onConfirm}
        onClose={ask.close}
      >
        {active ? (
          <p>
            From then on its requests get <strong>403 Source inactive</strong> and change no event. Senders
            that do not retry lose what they send meanwhile.
          </p>
        ) : (
          <p>
            From then on its signed requests are accepted again. What was refused meanwhile is not sent again
            by itself.
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
