import type { Bundle, ZObject } from 'zapier-platform-core';
import { apiAddress, callApi } from './api';

interface Found {
  readonly status?: string;
  readonly target_url?: string;
  readonly events?: readonly string[];
  readonly ordered?: boolean;
  readonly filter?: Record<string, unknown>;
  readonly client?: Record<string, unknown> | null;
}

/**
 * Asks Sluice for the secret of a subscription. Undefined: it is gone or paused. A create with the same fields changes nothing, and
 * returns the secret. It must not revive what an admin ended.
 */
export async function currentSecret(z: ZObject, bundle: Bundle, id: string): Promise<string | undefined> {
  const response = await z.request<Found>({
    url: `${apiAddress(z, bundle)}/webhooks/${encodeURIComponent(id)}`,
    middlewareData: { allows404: true },
  });
  const { status, target_url, events, ordered, filter, client } = response.data;
  if (response.status === 404 || status !== 'active') return undefined;
  const { secret } = await callApi<{ secret?: string }>(z, bundle, '/webhooks', {
    method: 'POST',
    body: { target_url, events, ordered, filter, client },
  });
  return secret;
}
