import { isStreamUrl } from './stream-url.ts';

interface Named {
  readonly name: string | null;
  readonly client: { readonly workflow_name?: string | null } | null;
  readonly target_url: string;
}

/** Longest path that is shown whole, and what is shown of a longer one. Characters. */
const LONGEST_PATH = 24;
const PATH_END = 15;

/** How a person tells subscriptions apart: its name, its workflow, or its address. */
export function webhookName({ name, client, target_url }: Named): string {
  return name ?? client?.workflow_name ?? webhookAddress({ target_url });
}

/**
 * Host and path, of a long path its end: the webhooks of one platform share the host and the beginning. The query is
 * omitted because it often contains a secret. `sluice listen` has no URL: a connected program reads its messages.
 */
export function webhookAddress({ target_url }: Pick<Named, 'target_url'>): string {
  if (isStreamUrl(target_url)) return 'a connected program';
  const { host, pathname } = new URL(target_url);
  if (pathname === '/') return host;
  return pathname.length > LONGEST_PATH ? `${host}/…${pathname.slice(-PATH_END)}` : `${host}${pathname}`;
}
