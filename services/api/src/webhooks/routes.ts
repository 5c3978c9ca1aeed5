import type { AuditAction } from '@sluice/contract/account/audit-actions';
import { EVENT_KINDS } from '@sluice/contract/message/event-kinds';
import { newId } from '@sluice/credentials/ids';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { newWebhook, webhookChange, webhookRotation } from '@sluice/dashboard-api/webhooks';
import { isSuccess } from '@sluice/outbound/subscriptions/audited-change';
import {
  adoptByAdmin,
  changeSubscription,
  pauseByAdmin,
  resumeByAdmin,
} from '@sluice/outbound/subscriptions/change-subscription';
import { createdDeed, createIntent } from '@sluice/outbound/subscriptions/create-intent';
import { createSubscription } from '@sluice/outbound/subscriptions/create-subscription';
import { deleteByAdmin } from '@sluice/outbound/subscriptions/delete-subscription';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import { isPresent } from '@sluice/outbound/subscriptions/life';
import { rotateSubscriptionSecret } from '@sluice/outbound/subscriptions/rotate-subscription-secret';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import {
  describeRefused,
  describeWebhook,
  describeWebhooks,
  describeWithSecret,
} from './describe-webhook.ts';
import { onWebhook } from './on-webhook.ts';
import { BY_ADMIN, refusalOf } from './refusals.ts';

const routes = ROUTES.webhooks;

/** Webhook subscriptions for admins, who reach those of every key. */
export function webhookRoutes(binder: Binder, deps: RouteDeps): void {
  readRoutes(binder, deps);
  createRoute(binder, deps);
  changeRoutes(binder, deps);
}

/** All subscriptions of the account, one, and the kinds of messages. */
function readRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { subscriptionDeps, now } = deps;

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
    return found === undefined ? BY_ADMIN.notFound : done(await describeWebhook(deps, found));
  });
}

function createRoute({ guarded }: Binder, deps: RouteDeps): void {
  const { subscriptionDeps, audited } = deps;

  guarded(routes.create, { body: newWebhook }, async ({ who, body: input, request }) => {
    const wanted = { accountId: who.accountId, input, newId: newId('sub') };
    const work = () => createSubscription(subscriptionDeps, wanted);
    const intent = await createIntent(subscriptionDeps, wanted);
    const created =
      intent === undefined ? await work() : await audited(who, request, { intent, work, deed: createdDeed });
    if (!isSuccess(created)) return refusalOf(created, BY_ADMIN);
    return describeWithSecret(deps, created.subscription, created.secret);
  });
}

/** Changes of the URL, events, filters or name; pause, resume and adopt; a new secret; the end. */
function changeRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { subscriptionDeps } = deps;

  guarded(routes.change, { body: webhookChange }, async (call) => {
    const { body: patch } = call;
    const changed = await onWebhook(deps, call, {
      action: 'webhook.changed',
      detail: Object.keys(patch).join(', '),
      work: (asked) => changeSubscription(subscriptionDeps, { ...asked, patch }),
    });
    return 'outcome' in changed ? changed : done(await describeWebhook(deps, changed.subscription));
  });

  const byAdmin = (route: typeof routes.pause, change: typeof pauseByAdmin, action: AuditAction) =>
    guarded(route, {}, async (call) => {
      const changed = await onWebhook(deps, call, {
        action,
        work: ({ accountId, subscriptionId }) => change(subscriptionDeps, accountId, subscriptionId),
      });
      return 'outcome' in changed ? changed : done(await describeWebhook(deps, changed.subscription));
    });
  byAdmin(routes.pause, pauseByAdmin, 'webhook.paused');
  byAdmin(routes.resume, resumeByAdmin, 'webhook.resumed');
  byAdmin(routes.adopt, adoptByAdmin, 'webhook.adopted');

  guarded(routes.rotateSecret, { body: webhookRotation }, async (call) => {
    const { overlap } = call.body;
    const rotated = await onWebhook(deps, call, {
      action: 'webhook.secret_rotated',
      detail: `overlap ${overlap}`,
      work: (asked) => rotateSubscriptionSecret(subscriptionDeps, { ...asked, overlap }),
    });
    return 'outcome' in rotated ? rotated : describeWithSecret(deps, rotated.subscription, rotated.secret);
  });

  guarded(routes.remove, {}, async (call) => {
    const removed = await onWebhook(deps, call, {
      action: 'webhook.deleted',
      work: ({ accountId, subscriptionId }) => deleteByAdmin(subscriptionDeps, accountId, subscriptionId),
    });
    return 'outcome' in removed ? removed : done(null);
  });
}
