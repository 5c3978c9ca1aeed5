import type { AuditAction } from '@sluice/contract/audit-actions';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { webhookChange, webhookRotation } from '@sluice/dashboard-api/webhooks';
import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import { deleteByAdmin } from '@sluice/outbound/subscriptions/delete-subscription';
import {
  adoptByAdmin,
  type ChangedByAdmin,
  pauseByAdmin,
  resumeByAdmin,
} from '@sluice/outbound/subscriptions/pause-by-admin';
import { rotateSubscriptionSecret } from '@sluice/outbound/subscriptions/rotate-subscription-secret';
import type { Audited } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import { type DescribeDeps, describeWebhook, describeWithSecret } from './describe-webhook.ts';
import { NO_WEBHOOK } from './no-webhook.ts';
import { onWebhook } from './on-webhook.ts';
import { filterUnknown, limitReached, urlRefused } from './refusals.ts';

export interface WebhookWriteDeps extends DescribeDeps {
  readonly audited: Audited;
}

const routes = ROUTES.webhooks;

/** The change of a webhook subscription's URL, events, filters or name. */
export function webhookChangeRoute({ guarded }: Binder, deps: WebhookWriteDeps): void {
  guarded(routes.change, { body: webhookChange }, async (call) => {
    const { body: patch } = call;
    const changed = await onWebhook(deps, call, {
      action: 'webhook.changed',
      detail: Object.keys(patch).join(', '),
      work: (asked) => changeSubscription(deps.subscriptionDeps, { ...asked, patch }),
      changed: (result) => (result.status === 'changed' ? result : undefined),
    });
    switch (changed.status) {
      case 'changed':
      case 'unchanged':
        return done(await describeWebhook(deps, changed.subscription));
      case 'url_refused':
        return urlRefused(changed.detail);
      case 'filter_unknown':
        return filterUnknown(changed.field);
      case 'limit_reached':
        return limitReached(changed.limit);
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
  const byAdmin = (route: typeof routes.pause, change: typeof pauseByAdmin, action: AuditAction) =>
    guarded(route, {}, async (call) => {
      const changed = await onWebhook<ChangedByAdmin>(deps, call, {
        action,
        work: ({ accountId, subscriptionId }) => change(deps.subscriptionDeps, accountId, subscriptionId),
        changed: (result) => (result.status === 'changed' ? result : undefined),
      });
      if (changed.status === 'not_found') return NO_WEBHOOK;
      return done(await describeWebhook(deps, changed.subscription));
    });
  byAdmin(routes.pause, pauseByAdmin, 'webhook.paused');
  byAdmin(routes.resume, resumeByAdmin, 'webhook.resumed');
  byAdmin(routes.adopt, adoptByAdmin, 'webhook.adopted');
}

/** The end of a webhook subscription. */
export function webhookRemoveRoute({ guarded }: Binder, deps: WebhookWriteDeps): void {
  guarded(routes.remove, {}, async (call) => {
    const { status } = await onWebhook(deps, call, {
      action: 'webhook.deleted',
      work: ({ accountId, subscriptionId }) =>
        deleteByAdmin(deps.subscriptionDeps, accountId, subscriptionId),
      changed: (result) => (result.status === 'deleted' ? result : undefined),
    });
    return status === 'not_found' ? NO_WEBHOOK : done(null);
  });
}

/** The rotation of its signing secret. */
export function webhookRotateRoute({ guarded }: Binder, deps: WebhookWriteDeps): void {
  guarded(routes.rotateSecret, { body: webhookRotation }, async (call) => {
    const { overlap } = call.body;
    const rotated = await onWebhook(deps, call, {
      action: 'webhook.secret_rotated',
      detail: `overlap ${overlap}`,
      work: (asked) => rotateSubscriptionSecret(deps.subscriptionDeps, { ...asked, overlap }),
      changed: (result) => (result.status === 'rotated' ? result : undefined),
    });
    if (rotated.status === 'not_found') return NO_WEBHOOK;
    return describeWithSecret(deps, rotated.subscription, rotated.secret);
  });
}
