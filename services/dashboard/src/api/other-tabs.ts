import type { QueryClient } from '@tanstack/react-query';

/**
 * All tabs of a browser share one session, and with it the account that it is in. What a tab shows would mix with what
 * it loads next, and a key that is made there would be another account's.
 */
const channel = new BroadcastChannel('sluice-session');

/** Tells all other tabs that the session is somebody else's now, in another account, or over. */
export function tellOtherTabs(): void {
  channel.postMessage('changed');
}

/** Calls back when another tab has told so; until the answer is called. */
export function onChangedElsewhere(listener: () => void): () => void {
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}

/** After signing in, joining or signing out: nothing that was loaded before may be seen after, in this tab or another. */
export function forgetSession(client: QueryClient): void {
  tellOtherTabs();
  client.clear();
}
