import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { onChangedElsewhere } from '../api/other-tabs.ts';
import { hasUnsaved, reloadWithoutAsking } from '../ui/unsaved.ts';

const AGAIN_MS = 2000;

/**
 * Reloads the page when another tab signs in, signs out or switches the account. A page with unsaved forms first reads the session, and
 * stays if it is the same user's in the same account; `useSameSession` reloads it otherwise. While the server cannot be reached, the page
 * keeps what is typed and reads the session again.
 */
export function useChangesElsewhere(readSession: () => Promise<{ readonly error: Error | null }>): void {
  const client = useQueryClient();
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    const readAgain = async () => {
      const { error } = await readSession();
      // Queries that failed without a session load again.
      if (error === null) await client.invalidateQueries();
      else if (isRejected(error)) reloadWithoutAsking();
      else again = setTimeout(() => void readAgain(), AGAIN_MS);
    };
    const stop = onChangedElsewhere(() => {
      clearTimeout(again);
      if (hasUnsaved()) void readAgain();
      else reloadWithoutAsking();
    });
    return () => {
      clearTimeout(again);
      stop();
    };
  }, [readSession, client]);
}

/** The session has ended, or is one that may not be read. */
function isRejected(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
