import type { Bundle, ZObject } from 'zapier-platform-core';
import { apiAddress, callApi } from './api';
import type { Subscribed } from './subscribed';

interface Found {
  readonly status?: string;
  readonly reason?: string | null;
  readonly updated_at?: string;
  readonly target_url?: string;
  readonly events?: readonly string[];
  readonly ordered?: boolean;
  readonly filter?: Record<string, unknown>;
  readonly client?: Record<string, unknown> | null;
}

/**
 * Asks Sluice for the secret of a subscription. Undefined: it is gone, it is as it was when the Zap subscribed, or it fails. A create with
 * the same fields changes nothing, and returns the secret.
 *
 * A message that Zapier held back may come after a pause, so a paused subscription counts too. The create does not lift a pause by
 * an admin, and keeps that of a client. It would lift `failing`.
 */
export async function currentSecret(
  z: ZObject,
  bundle: Bundle,
  kept: Pick<Subscribed, 'id' | 'updated_at'>,
): Promise<string | undefined> {
  const response = await z.request<Found>({
    url: `${apiAddress(z, bundle)}/webhooks/${encodeURIComponent(kept.id)}`,
    middlewareData: { allows404: true },
  });
  const { status, reason, updated_at, target_url, events, ordered, filter, client } = response.data;
  if (response.status === 404) return undefined;
  if (updated_at !== undefined && updated_at === kept.updated_at) return undefined;
  if (status !== 'active' && reason !== 'by_admin' && reason !== 'by_client') return undefined;
  const { secret } = await callApi<{ secret?: string }>(z, bundle, '/webhooks', {
    method: 'POST',
    body: { target_url, events, ordered, filter, client, ...(reason === 'by_client' && { active: false }) },
  });
  return secret;
}
