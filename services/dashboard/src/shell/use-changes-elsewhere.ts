import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onChangedElsewhere } from '../api/other-tabs.ts';
import { hasUnsaved, reloadWithoutAsking } from '../ui/unsaved.ts';

/**
 * Reloads the page when another tab signs in, signs out or switches the account. A page with unsaved forms first reads the session, and
 * stays if it is the same user's in the same account; `useSameSession` reloads it otherwise.
 */
export function useChangesElsewhere(readSession: () => Promise<{ readonly isError: boolean }>): void {
  const client = useQueryClient();
  useEffect(() => {
    const onChange = async () => {
      if (!hasUnsaved()) return reloadWithoutAsking();
      const { isError } = await readSession();
      if (isError) return reloadWithoutAsking();
      // Queries that failed without a session load again.
      await client.invalidateQueries();
    };
    return onChangedElsewhere(() => void onChange());
  }, [readSession, client]);
}
