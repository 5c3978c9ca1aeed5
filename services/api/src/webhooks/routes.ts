import type { AuditAction } from '@sluice/contract/audit-actions';
import { EVENT_KINDS } from '@sluice/contract/event-kinds';
import { newId } from '@sluice/credentials/ids';
import { ROUTES } from '@sluice/dashboard-api/routes';
import {
  newWebhook,
  type WebhookItem,
  type WebhookWithSecret,
  webhookChange,
  webhookRotation,
} from '@sluice/dashboard-api/webhooks';
import type { RefusedSubscriptions } from '@sluice/store/refused-subscriptions';
import type { Subscription } from '@sluice/store/subscription-document';
import { changeSubscription } from '@sluice/subscriptions/change-subscription';
import { createSubscription } from '@sluice/subscriptions/create-subscription';
import { deleteByAdmin } from '@sluice/subscriptions/delete-subscription';
import { findReached } from '@sluice/subscriptions/find-reached';
import { isPresent } from '@sluice/subscriptions/life';
import {
  adoptByAdmin,
  type ChangedByAdmin,
  pauseByAdmin,
  resumeByAdmin,
} from '@sluice/subscriptions/pause-by-admin';
import { rotateSubscriptionSecret } from '@sluice/subscriptions/rotate-subscription-secret';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, type Result } from '../http/result.ts';
import { webhookDeed } from './deed.ts';
import { type DescribeDeps, describeRefused, describeWebhooks } from './describe-webhook.ts';
import { NO_WEBHOOK } from './no-webhook.ts';
import { limitReached, urlRefused } from './refusals.ts';

export interface WebhookRoutesDeps extends DescribeDeps {
  readonly refusedSubscriptions: Pick<RefusedSubscriptions, 'listRefused'>;
  readonly audit: Audit;
  readonly now: () => number;
}

/** Webhook subscriptions for admins, who reach those of every key: list, create, change, pause, adopt, delete. */
export function webhookRoutes({ guarded }: Binder, deps: WebhookRoutesDeps): void {
  const { subscriptionDeps, audit, now } = deps;
  const routes = ROUTES.webhooks;

  const described = async (subscription: Subscription): Promise<WebhookItem> => {
    const [item] = await describeWebhooks(deps, subscription.account_id, [subscription]);
    return item as WebhookItem;
  };
  const withSecret = async (subscription: Subscription, secret: string): Promise<Result<WebhookWithSecret>> =>
    done({ webhook: await described(subscription), secret });

  guarded(routes.list, {}, async ({ who: { accountId } }) => {
    const own = await subscriptionDeps.subscriptions.listSubscriptions(accountId);
    const present = own.filter((one) => isPresent(one, now())).toReversed();
    const [items, refused] = await Promise.all([
      describeWebhooks(deps, accountId, present),
      deps.refusedSubscriptions.listRefused(accountId),
    ]);
    const limit = subscriptionDeps.subscriptionLimit;
    return done({ items, refused: await describeRefused(deps, refused), limit });
  });

  // Must come before the route of one subscription, or `kinds` would match as its id.
  guarded(routes.kinds, {}, async () => {
    const offered = EVENT_KINDS.filter(({ subscribable }) => subscribable);
    return done({ items: offered.map(({ kind, name, sentence }) => ({ kind, name, sentence })) });
  });

  guarded(routes.show, {}, async ({ who: { accountId }, params }) => {
    const subscriptionId = params.webhookId as string;
    const found = await findReached(subscriptionDeps, { accountId, subscriptionId });
    return found === undefined ? NO_WEBHOOK : done(await described(found));
  });

  guarded(routes.create, { body: newWebhook }, async ({ who, body: input, request }) => {
    const { accountId } = who;
    const created = await createSubscription(subscriptionDeps, { accountId, input, newId: newId('sub') });
    switch (created.status) {
      case 'created':
      case 'existing':
      case 'taken_over': {
        const { subscription, secret, changed, status } = created;
        const action = status === 'created' ? 'webhook.created' : 'webhook.changed';
        if (changed)
          await audit(who, request, webhookDeed(action, subscription, subscription.events.join(', ')));
        return withSecret(subscription, secret);
      }
      case 'url_refused':
        return urlRefused(created.detail);
      case 'url_taken':
        return urlRefused('An API key of this account has subscribed this URL. Change that subscription.');
      case 'limit_reached':
        return limitReached(created.limit);
      case 'key_revoked':
        throw new Error('a create by an admin has no key');
    }
  });

  guarded(routes.change, { body: webhookChange }, async ({ who, params, body: patch, request }) => {
    const subscriptionId = params.webhookId as string;
    const changed = await changeSubscription(subscriptionDeps, {
      ...{ accountId: who.accountId, subscriptionId, patch },
    });
    switch (changed.status) {
      case 'changed':
      case 'unchanged':
        if (changed.status === 'changed') {
          const fields = Object.keys(patch).join(', ');
          await audit(who, request, webhookDeed('webhook.changed', changed.subscription, fields));
        }
        return done(await described(changed.subscription));
      case 'url_refused':
        return urlRefused(changed.detail);
      case 'url_taken':
        return urlRefused('Another webhook subscription of the account has this URL.');
      case 'not_found':
        return NO_WEBHOOK;
      case 'changed_meanwhile':
        throw new Error('a change without a version has no conflict');
    }
  });

  const byAdmin = (route: typeof routes.pause, change: typeof pauseByAdmin, action: AuditAction) =>
    guarded(route, {}, async ({ who, params, request }) => {
      const changed: ChangedByAdmin = await change(
        subscriptionDeps,
        who.accountId,
        params.webhookId as string,
      );
      if (changed.status === 'not_found') return NO_WEBHOOK;
      if (changed.status === 'changed') await audit(who, request, webhookDeed(action, changed.subscription));
      return done(await described(changed.subscription));
    });
  byAdmin(routes.pause, pauseByAdmin, 'webhook.paused');
  byAdmin(routes.resume, resumeByAdmin, 'webhook.resumed');
  byAdmin(routes.adopt, adoptByAdmin, 'webhook.adopted');

  guarded(routes.remove, {}, async ({ who, params, request }) => {
    const deleted = await deleteByAdmin(subscriptionDeps, who.accountId, params.webhookId as string);
    if (deleted.status === 'not_found') return NO_WEBHOOK;
    await audit(who, request, webhookDeed('webhook.deleted', deleted.subscription));
    return done(null);
  });

  guarded(
    routes.rotateSecret,
    { body: webhookRotation },
    async ({ who, params, body: { overlap }, request }) => {
      const subscriptionId = params.webhookId as string;
      const wanted = { accountId: who.accountId, subscriptionId, overlap };
      const rotated = await rotateSubscriptionSecret(subscriptionDeps, wanted);
      if (rotated.status === 'not_found') return NO_WEBHOOK;
      const { subscription, secret } = rotated;
      await audit(who, request, webhookDeed('webhook.secret_rotated', subscription, `overlap ${overlap}`));
      return withSecret(subscription, secret);
    },
  );
}
