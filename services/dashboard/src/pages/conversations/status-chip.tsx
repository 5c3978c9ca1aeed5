import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import { Chip } from '../../ui/chip.tsx';
import classes from './conversation-list.module.css';
import { STATUS_WORDS } from './status-words.ts';
import { useIsMine } from './use-is-mine.ts';

/** The status of a conversation, with the name of its agent. */
export function ConversationChip({ item }: { readonly item: Pick<ConversationItem, 'status' | 'handoff'> }) {
  const { label, tone, icon } = STATUS_WORDS[item.status];
  const isMine = useIsMine(item);
  const agent = item.handoff?.agent ?? null;
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
