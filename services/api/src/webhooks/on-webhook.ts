import type { AuditAction } from '@sluice/contract/audit-actions';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { findReached, type Reached } from '@sluice/outbound/subscriptions/find-reached';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Request } from 'express';
import type { Audited } from '../audit/record.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { webhookDeed } from './deed.ts';

export interface OnWebhookDeps {
  readonly subscriptionDeps: SubscriptionDeps;
  readonly audited: Audited;
}

/** A change of a subscription by an admin. */
export interface WebhookChange<R> {
  readonly action: AuditAction;
  /** Shown in the audit log. */
  readonly detail?: string;
  readonly work: (asked: Pick<Reached, 'accountId' | 'subscriptionId'>) => Promise<R>;
  /** The subscription that was changed, and a better detail if there is one. Undefined: nothing was changed. */
  readonly changed: (
    result: R,
  ) => { readonly subscription: Subscription; readonly detail?: string } | undefined;
}

interface Call {
  readonly who: SignedIn;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Request;
}

/** Makes an audited change of the subscription in the path. */
export async function onWebhook<R>(
  { subscriptionDeps, audited }: OnWebhookDeps,
  { who, params, request }: Call,
  { action, detail, work, changed: changedBy }: WebhookChange<R>,
): Promise<R | { readonly status: 'not_found' }> {
  const asked = { accountId: who.accountId, subscriptionId: params.webhookId as string };
  const before = await findReached(subscriptionDeps, asked);
  if (before === undefined) return { status: 'not_found' };
  return audited(who, request, {
    intent: webhookDeed(action, before, detail),
    work: () => work(asked),
    deed(result) {
      const changed = changedBy(result);
      return changed && webhookDeed(action, changed.subscription, changed.detail ?? detail);
    },
  });
}
