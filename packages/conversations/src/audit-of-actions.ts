import type { AuditAction } from '@sluice/contract/audit-actions';
import type { ConversationActionKind } from '@sluice/contract/conversation-action';
import type { AuditEntry } from '@sluice/store/audit/audit-log';
import { type Admitted, conversationIdOf, messageOf } from './fold-conversation.ts';

const ACTIONS: Partial<Record<ConversationActionKind, AuditAction>> = {
  accept_handoff: 'conversation.accepted',
  end_handoff: 'conversation.handoff_ended',
  message: 'conversation.replied',
};

/**
 * The audit entries of actions that name their doer. They have the same ids each time, and a repeated reply has that of the first. So
 * the API server and the worker may both write them.
 */
export function auditOfActions(admitted: readonly Admitted[]): AuditEntry[] {
  return admitted.flatMap((one) => {
    const { account_id, sequence, received_at: at } = one;
    const { kind, doer } = one.action;
    const action = ACTIONS[kind];
    if (doer === undefined || action === undefined) return [];
    // The conversation by its id, without names and texts of people: an erasure leaves nothing here.
    const id = conversationIdOf(one);
    const audit_id = `aud_${messageOf(one)?.message_id ?? `${id}/${sequence}`}`;
    return { audit_id, account_id, at, action, ...doer, target: { id, name: id }, detail: null };
  });
}
