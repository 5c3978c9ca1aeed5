import type { ConversationStatus } from '@sluice/contract/conversation/conversation';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import { useMe } from '../../shell/me.tsx';
import { useNow } from '../../ui/ago.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { localTime, utc } from '../../ui/time.ts';
import classes from './conversation-list.module.css';

/** The status of a conversation, with the name of its agent. */
export function ConversationChip({ item }: { readonly item: Pick<ConversationItem, 'status' | 'handoff'> }) {
  const { label, tone, icon } = STATUS_WORDS[item.status];
  const isMine = useIsMine(item);
  const agent = item.handoff.agent;
  return (
    <Chip tone={tone} icon={icon}>
      {item.status !== 'handoff_active' || agent === null ? (
        label
      ) : (
        <span className={`${classes.agent} ellipsis`}>
          With <bdi>{isMine ? 'you' : agent}</bdi>
        </span>
      )}
    </Chip>
  );
}

/** How a status is shown. The order is that of the list. */
export const STATUS_WORDS: Readonly<
  Record<ConversationStatus, { readonly label: string; readonly tone: Tone; readonly icon: IconName }>
> = {
  handoff_requested: { label: 'Handoff requested', tone: 'warn', icon: 'hand' },
  handoff_active: { label: 'With an agent', tone: 'info', icon: 'headset' },
  open: { label: 'Open', tone: 'ok', icon: 'conversations' },
  closed: { label: 'Closed', tone: 'quiet', icon: 'check' },
};

/** The name of the visitor, or what else is known of them. */
export function visitorName({ contact, erased_at }: Pick<ConversationItem, 'contact' | 'erased_at'>): string {
  return (
    contact.name ?? contact.email ?? contact.phone ?? (erased_at === null ? 'Visitor' : 'Erased visitor')
  );
}

/** Whether the user is the agent of a conversation. */
export function useIsMine({ status, handoff }: Pick<ConversationItem, 'status' | 'handoff'>): boolean {
  const { user } = useMe();
  return status === 'handoff_active' && handoff.agent_user_id === user.user_id;
}

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
] as const;

/** How long a visitor has waited for a person: "waits 12 min". */
export function Waits({ since }: { readonly since: string }) {
  const waited = useNow() - Date.parse(since);
  const unit = UNITS.find(([length]) => waited >= length);
  return (
    <time dateTime={since} title={`${utc(since)}\n${localTime(since)}`} className="nowrap">
      waits {unit === undefined ? '< 1 min' : `${Math.floor(waited / unit[0])} ${unit[1]}`}
    </time>
  );
}
