import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import { useWrite } from '../../api/queries.ts';
import { ActiveSwitch } from './active-switch.tsx';

interface SourceSwitchProps {
  readonly source: Source;
  readonly mayChange: boolean;
}

/** Switches a source on or off after a dialog names the effect. */
export function SourceSwitch({ source, mayChange }: SourceSwitchProps) {
  const change = useWrite(ROUTES.sources.setActive, [ROUTES.sources.list, ROUTES.sources.show]);
  const params = { sourceId: source.source_id };
  return (
    <ActiveSwitch
      sourceId={source.source_id}
      name={source.name}
      active={source.active}
      mayChange={mayChange}
      change={change}
      onChange={(active, onSuccess) => change.mutate({ params, body: { active } }, { onSuccess })}
      effectOff="change no event"
    />
  );
}
