import type { QueryClient } from '@tanstack/react-query';

/**
 * All tabs of a browser share one session, and with it the current account. Without this signal, an old tab would mix
 * data of two accounts, and would create a key in the wrong one.
 */
const channel = new BroadcastChannel('sluice-session');

/** Notifies all other tabs that the session has ended, or has another user or account. */
export function notifyOtherTabs(): void {
  channel.postMessage('changed');
}

/** Calls back when another tab has sent this signal. Returns the function that unsubscribes. */
export function onChangedElsewhere(listener: () => void): () => void {
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}

/** Clears all loaded data after a sign-in, join or sign-out, so that no tab shows data of another session. */
export function forgetSession(client: QueryClient): void {
  notifyOtherTabs();
  client.clear();
}
