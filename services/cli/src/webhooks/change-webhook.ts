import {
  auditedChange,
  isSuccess,
  type Success,
  type WebhookChange,
} from '@sluice/outbound/subscriptions/audited-change';
import type { Job } from '../context.ts';
import { type Refused, refused } from './refusals.ts';
import { accountOfWebhook, noSuchWebhook } from './webhook-access.ts';

/** Makes an audited change of a subscription. Throws the error of one that is refused. */
export async function changeWebhook<R extends { readonly status: string }>(
  { stack, audited }: Pick<Job<unknown>, 'stack' | 'audited'>,
  subscriptionId: string,
  {
    work,
    ...change
  }: Omit<WebhookChange<R>, 'work'> & {
    readonly work: (asked: { readonly accountId: string; readonly subscriptionId: string }) => Promise<R>;
  },
): Promise<Success<R>> {
  const store = await stack.store();
  const accountId = await accountOfWebhook(store, subscriptionId);
  const before = await store.subscriptions.findSubscription(accountId, subscriptionId);
  if (before === undefined) throw noSuchWebhook(subscriptionId);
  const audit = auditedChange(before, { ...change, work: () => work({ accountId, subscriptionId }) });
  const result = await audited(accountId, audit);
  if (!isSuccess(result)) throw refused(result as Refused, subscriptionId, change.detail);
  return result;
}
