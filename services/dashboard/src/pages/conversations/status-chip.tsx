import type { ConversationStatus } from '@sluice/contract/conversation';
import { Chip } from '../../ui/chip.tsx';
import { STATUS_WORDS } from './status-words.ts';

export function ConversationChip({ status }: { readonly status: ConversationStatus }) {
  const { label, tone, icon } = STATUS_WORDS[status];
  return (
    <Chip tone={tone} icon={icon}>
      {label}
    </Chip>
  );
}
