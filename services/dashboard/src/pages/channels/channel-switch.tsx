import type { Channel } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { ActiveSwitch } from '../sources/active-switch.tsx';

interface ChannelSwitchProps {
  readonly channel: Channel;
  readonly mayChange: boolean;
}

/** Switches a channel on or off after a dialog names the effect. */
export function ChannelSwitch({ channel, mayChange }: ChannelSwitchProps) {
  const change = useWrite(ROUTES.channels.setActive, [ROUTES.channels.list, ROUTES.channels.show]);
  const params = { channelId: channel.channel_id };
  return (
    <ActiveSwitch
      sourceId={channel.channel_id}
      name={channel.name}
      active={channel.active}
      mayChange={mayChange}
      change={change}
      onChange={(active, onSuccess) => change.mutate({ params, body: { active } }, { onSuccess })}
      effectOff="change no conversation"
    />
  );
}
