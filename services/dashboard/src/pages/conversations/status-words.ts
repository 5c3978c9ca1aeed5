import type { ConversationStatus } from '@sluice/contract/conversation';
import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import type { Tone } from '../../ui/chip.tsx';
import type { IconName } from '../../ui/icons.tsx';

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
export function visitorName({ contact }: Pick<ConversationItem, 'contact'>): string {
  return contact.name ?? contact.email ?? contact.phone ?? 'Visitor';
}
