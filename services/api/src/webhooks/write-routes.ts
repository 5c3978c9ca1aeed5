import type { AuditAction } from '@sluice/contract/audit-actions';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { webhookChange, webhookRotation } from '@sluice/dashboard-api/webhooks';
import { changeSubscription } from '@sluice/subscriptions/change-subscription';
import { deleteByAdmin } from '@sluice/subscriptions/delete-subscription';
import {
  adoptByAdmin,
  type ChangedByAdmin,
  pauseByAdmin,
  resumeByAdmin,
} from '@sluice/subscriptions/pause-by-admin';
import { rotateSubscriptionSecret } from '@sluice/subscriptions/rotate-subscription-secret';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import { webhookDeed } from './deed.ts';
import { type DescribeDeps, describeWebhook, describeWithSecret } from './describe-webhook.ts';
import { NO_WEBHOOK } from './no-webhook.ts';
import { urlRefused } from './refusals.ts';

export interface WebhookWriteDeps extends DescribeDeps {
  readonly audit: Audit;
}

const routes = ROUTES.webhooks;

/** The change of a webhook subscription's URL, events, filters or name. */
export function webhookChangeRoute({ guarded }: Binder, deps: WebhookWriteDeps): void {
  const { subscriptionDeps, audit } = deps;

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
        return done(await describeWebhook(deps, changed.subscription));
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
}

/** Pause, resume and adopt. */
export function webhookSwitchRoutes({ guarded }: Binder, deps: WebhookWriteDeps): void {
  const { subscriptionDeps, audit } = deps;

  const byAdmin = (route: typeof routes.pause, change: typeof pauseByAdmin, action: AuditAction) =>
    guarded(route, {}, async ({ who, params, request }) => {
      const changed: ChangedByAdmin = await change(
        subscriptionDeps,
        who.accountId,
        params.webhookId as string,
      );
      if (changed.status === 'not_found') return NO_WEBHOOK;
      if (changed.status === 'changed') await audit(who, request, webhookDeed(action, changed.subscription));
      return done(await describeWebhook(deps, changed.subscription));
    });
  byAdmin(routes.pause, pauseByAdmin, 'webhook.paused');
  byAdmin(routes.resume, resumeByAdmin, 'webhook.resumed');
  byAdmin(routes.adopt, adoptByAdmin, 'webhook.adopted');
}

/** The end of a webhook subscription. */
export function webhookRemoveRoute({ guarded }: Binder, { subscriptionDeps, audit }: WebhookWriteDeps): void {
  guarded(routes.remove, {}, async ({ who, params, request }) => {
    const deleted = await deleteByAdmin(subscriptionDeps, who.accountId, params.webhookId as string);
    if (deleted.status === 'not_found') return NO_WEBHOOK;
    await audit(who, request, webhookDeed('webhook.deleted', deleted.subscription));
    return done(null);
  });
}

/** The rotation of its signing secret. */
export function webhookRotateRoute({ guarded }: Binder, deps: WebhookWriteDeps): void {
  const { subscriptionDeps, audit } = deps;

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
      return describeWithSecret(deps, subscription, secret);
    },
  );
}
