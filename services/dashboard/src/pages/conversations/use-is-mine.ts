import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import { useMe } from '../../shell/me.tsx';

/** Whether the user is the agent of a conversation. Also if that is not known. */
export function useIsMine({ status, handoff }: Pick<ConversationItem, 'status' | 'handoff'>): boolean {
  const { user } = useMe();
  const agent = handoff?.agent_user_id;
  return status === 'handoff_active' && (agent === undefined || agent === user.user_id);
}
