import type { Actor } from '@sluice/contract/change';

/** The author of changes on the command line, which has no sign-in. The audit log also has the user and the host. */
export const CLI_ACTOR: Actor = { type: 'system', id: 'cli' };

/** A lead in the audit log: its id alone, so that an erasure leaves nothing there. */
export function leadTarget(leadId: string): { readonly id: string; readonly name: string } {
  return { id: leadId, name: leadId };
}
