import type { AnyAction } from './groups.ts';

/** The title of an action in the delivery log: that of its event, or what its conversation is about. */
export function titleOf(action: AnyAction): string {
  if ('identity' in action) return action.identity.title;
  const { subject, external_id } = action.conversation;
  return subject ?? external_id;
}
