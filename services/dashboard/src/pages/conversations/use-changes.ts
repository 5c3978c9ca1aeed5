import type { ConversationChanges } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { callApi } from '../../api/api-client.ts';

/**
 * A new message appears within this time and that of one request. Polling is cheaper here than a stream: one read of an
 * index, no connection to keep, and a hidden tab asks for nothing.
 */
const EVERY_MS = 1000;

/** Reads what has changed since the last read, every second while the tab is visible. */
export function useChanges() {
  const since = useRef<string>(undefined);
  return useQuery({
    queryKey: [ROUTES.conversations.changes.path],
    queryFn: async ({ signal }): Promise<ConversationChanges> => {
      const query = since.current === undefined ? {} : { since: since.current };
      const changes = await callApi(ROUTES.conversations.changes, { query }, signal);
      since.current = changes.until;
      return changes;
    },
    refetchInterval: EVERY_MS,
    retry: false,
    gcTime: 0,
  });
}
