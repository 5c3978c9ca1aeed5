import type { ConversationStatus } from '@sluice/contract/conversation/conversation';

/** The states of a conversation, in the order of the list: people who wait for an agent come first. */
export const CONVERSATION_ORDER = [
  'handoff_requested',
  'handoff_active',
  'open',
  'closed',
] as const satisfies readonly ConversationStatus[];
