import type { AnyAction } from './groups.ts';

/** The title of an action in the delivery log: that of its event, or what its conversation is about. Null: it names none. */
export function titleOf(action: AnyAction): string | null {
  if ('identity' in action) return action.identity.title || null;
  const { subject, external_id } = action.conversation;
  return subject ?? external_id;
}
