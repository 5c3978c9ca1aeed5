import type { Bundle, ZObject } from 'zapier-platform-core';
import { apiAddress, withJson } from './api';
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

/** A change between the two requests is read at the second try. */
const TRIES = 2;

/**
 * Asks Sluice for the secret of a subscription. Undefined: it is gone, it is as it was when the Zap subscribed, it fails, or it keeps
 * changing.
 *
 * A message that Zapier held back may come after a pause, so a paused subscription counts too. The create does not lift a pause by
 * an admin, and keeps that of a client. It would lift `failing`.
 */
export async function currentSecret(
  z: ZObject,
  bundle: Bundle,
  kept: Pick<Subscribed, 'id' | 'updated_at'>,
): Promise<string | undefined> {
  for (let tried = 0; tried < TRIES; tried++) {
    const response = await z.request<Found>({
      url: `${apiAddress(z, bundle)}/webhooks/${encodeURIComponent(kept.id)}`,
      middlewareData: { allows: 404 },
    });
    if (response.status === 404) return undefined;
    const { status, reason, updated_at } = response.data;
    if (updated_at !== undefined && updated_at === kept.updated_at) return undefined;
    if (status !== 'active' && reason !== 'by_admin' && reason !== 'by_client') return undefined;
    const secret = await secretOf(z, bundle, response.data, response.getHeader('etag'));
    if (secret !== 'changed_meanwhile') return secret;
  }
  return undefined;
}

/**
 * A create with the same fields changes nothing, and returns the secret. The Zap can be switched off between the read and the create.
 * So the create has the ETag, and Sluice rejects it if the subscription was changed or deleted meanwhile.
 */
async function secretOf(
  z: ZObject,
  bundle: Bundle,
  { reason, target_url, events, ordered, filter, client }: Found,
  etag: string | undefined,
): Promise<string | undefined | 'changed_meanwhile'> {
  const sent = {
    target_url,
    events,
    ordered,
    filter,
    client,
    ...(reason === 'by_client' && { active: false }),
  };
  const response = await z.request<{ secret?: string }>({
    ...withJson(sent, { method: 'POST', ...(etag && { headers: { 'If-Match': etag } }) }),
    url: `${apiAddress(z, bundle)}/webhooks`,
    middlewareData: { allows: 412 },
  });
  return response.status === 412 ? 'changed_meanwhile' : response.data.secret;
}
