import { useDisclosure } from '@mantine/hooks';
import type { Source } from '@sluice/dashboard-api/sources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Switch } from '../../ui/switch.ts';
import { ENDPOINT_ROUTES, ENDPOINTS_SHOWN, kindOf, paramsOf } from './endpoint.ts';

const RejectedMeanwhile = onDemand(async () => (await import('./rejected-meanwhile.tsx')).RejectedMeanwhile);

interface ActiveSwitchProps {
  readonly source: Pick<Source, 'source_id' | 'name' | 'active'>;
  readonly mayChange: boolean;
}

/** Switches a source or channel on or off after a dialog names the effect. */
export function ActiveSwitch({ source: { source_id: id, name, active }, mayChange }: ActiveSwitchProps) {
  const kind = kindOf(id);
  const change = useWrite(ENDPOINT_ROUTES[kind].setActive, ENDPOINTS_SHOWN);
  // The value to confirm in the open dialog. It must not change when it is switched meanwhile, here or by another user.
  const [wanted, setWanted] = useState(!active);
  const [asking, ask] = useDisclosure(false);
  const [offering, offer] = useDisclosure(false);
  const onSuccess = () => {
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
        change={change}
        onConfirm={() => change.mutate({ params: paramsOf(id), body: { active: wanted } }, { onSuccess })}
        onClose={ask.close}
      >
        {wanted ? (
          <p>
            Its signed requests are accepted again. Requests that were rejected meanwhile can be reprocessed
            in the next step.
          </p>
        ) : (
          <p>
            Its requests get <strong>403 Source inactive</strong> and change no{' '}
            {kind === 'source' ? 'event' : 'conversation'}. Senders that do not retry lose what they send
            meanwhile.
          </p>
        )}
      </ConfirmDialog>
      {offering && <RejectedMeanwhile sourceId={id} onClose={offer.close} />}
    </>
  );
}
