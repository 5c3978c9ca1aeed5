import type { Deed } from '@sluice/accounts/audit/audit-entry';
import { newId } from '@sluice/credentials/ids';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { newWebhook } from '@sluice/dashboard-api/webhooks';
import { createIntent } from '@sluice/outbound/subscriptions/create-intent';
import {
  createSubscription,
  type SubscriptionCreated,
} from '@sluice/outbound/subscriptions/create-subscription';
import type { Binder } from '../http/bind.ts';
import { webhookDeed } from './deed.ts';
import { describeWithSecret } from './describe-webhook.ts';
import { filterUnknown, limitReached, urlRefused } from './refusals.ts';
import type { WebhookWriteDeps } from './write-routes.ts';

/** The creation of a webhook subscription by an admin. */
export function webhookCreateRoute({ guarded }: Binder, deps: WebhookWriteDeps): void {
  const { subscriptionDeps, audited } = deps;

  guarded(ROUTES.webhooks.create, { body: newWebhook }, async ({ who, body: input, request }) => {
    const { accountId } = who;
    const wanted = { accountId, input, newId: newId('sub') };
    const work = () => createSubscription(subscriptionDeps, wanted);
    const intent = await createIntent(subscriptionDeps, wanted);
    const created =
      intent === undefined ? await work() : await audited(who, request, { intent, work, deed: createdDeed });
    switch (created.status) {
      case 'created':
      case 'existing':
      case 'taken_over': {
        const { subscription, secret } = created;
        return describeWithSecret(deps, subscription, secret);
      }
      case 'url_refused':
        return urlRefused(created.detail);
      case 'filter_unknown':
        return filterUnknown(created.field);
      case 'url_taken':
        return urlRefused('An API key of this account has subscribed this URL. Change that subscription.');
      case 'limit_reached':
        return limitReached(created.limit);
      case 'key_revoked':
        throw new Error('a create by an admin has no key');
      case 'changed_meanwhile':
        throw new Error('a create by an admin has no If-Match');
    }
  });
}

function createdDeed(created: SubscriptionCreated): Deed | undefined {
  if (!('secret' in created) || !created.changed) return undefined;
  const { status, subscription } = created;
  const action = status === 'created' ? 'webhook.created' : 'webhook.changed';
  return webhookDeed(action, subscription, subscription.events.join(', '));
}
