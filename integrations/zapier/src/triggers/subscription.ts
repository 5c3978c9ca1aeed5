import type { Bundle, ZObject } from 'zapier-platform-core';
import { apiAddress, callApi } from '../api';
import type { Subscribed } from '../subscribed';
import { chosenFilter } from './filters';

/** Subscribes the address of a Zap. The API has one subscription for an address, so a repeated call makes no second one. */
export async function subscribe(z: ZObject, bundle: Bundle, events: readonly string[]): Promise<Subscribed> {
  const zap = bundle.meta?.zap?.id;
  const { id, secret, updated_at } = await callApi<Subscribed>(z, bundle, '/webhooks', {
    method: 'POST',
    body: {
      target_url: bundle.targetUrl,
      events,
      filter: chosenFilter(bundle.inputData),
      client: { platform: 'zapier', ...(zap && { workflow_url: `https://zapier.com/editor/${zap}` }) },
    },
  });
  return { id, secret, updated_at };
}

/** Gone already, or the key was revoked, which has stopped the subscription. */
const NOTHING_LEFT = [401, 404, 410];

/** Unsubscribes, by URL if Zapier lost the ID. Switching a Zap off must not fail where nothing is left to delete. */
export async function unsubscribe(z: ZObject, bundle: Bundle): Promise<Record<string, never>> {
  const id = bundle.subscribeData?.id;
  const response = await z.request({
    url: `${apiAddress(z, bundle)}/webhooks${id ? `/${encodeURIComponent(id)}` : ''}`,
    ...(id ? {} : { params: { url: bundle.targetUrl ?? '' } }),
    method: 'DELETE',
    skipThrowForStatus: true,
  });
  if (response.status < 300 || NOTHING_LEFT.includes(response.status)) return {};
  throw new z.errors.Error(
    `Sluice did not delete the subscription: it responded with the status ${response.status}.`,
    'unsubscribe',
    response.status,
  );
}
