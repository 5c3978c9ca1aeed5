import { focusManager } from '@tanstack/react-query';
import { useEffect } from 'react';

/**
 * Stops all polls while it is not enabled. Queries neither poll nor reload in a page without the focus, and those that are
 * stale reload when the focus returns.
 */
export function usePolling(enabled: boolean): void {
  useEffect(() => {
    if (enabled) return undefined;
    focusManager.setFocused(false);
    return () => focusManager.setFocused(undefined);
  }, [enabled]);
}
