import type { Deed } from '@sluice/accounts/audit/audited';
import type { AuditAction } from '@sluice/contract/account/audit-actions';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { findReached, type Reached } from '@sluice/outbound/subscriptions/find-reached';
import { subscriptionTarget } from '@sluice/outbound/subscriptions/name-subscription';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Request } from 'express';
import type { Audited } from '../audit/record.ts';
import type { Refusal } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { BY_ADMIN, type Failure, isSuccess, refusalOf, type Success } from './refusals.ts';

/** The audited change of a subscription. */
export function webhookDeed(action: AuditAction, subscription: Subscription, detail?: string): Deed {
  return { action, target: subscriptionTarget(subscription), ...(detail !== undefined && { detail }) };
}

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
  /** A better detail, from the outcome. */
  readonly detailOf?: (outcome: Success<R>) => string;
}

interface Call {
  readonly who: SignedIn;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Request;
}

/** Makes an audited change of the subscription in the path. */
export async function onWebhook<R extends { readonly status: string }>(
  { subscriptionDeps, audited }: OnWebhookDeps,
  { who, params, request }: Call,
  { action, detail, work, detailOf }: WebhookChange<R>,
): Promise<Success<R> | Refusal> {
  const asked = { accountId: who.accountId, subscriptionId: params.webhookId as string };
  const before = await findReached(subscriptionDeps, asked);
  if (before === undefined) return BY_ADMIN.notFound;
  const outcome = await audited(who, request, {
    intent: webhookDeed(action, before, detail),
    work: () => work(asked),
    deed(result) {
      if (!isSuccess(result) || result.status === 'unchanged') return undefined;
      return webhookDeed(action, result.subscription, detailOf?.(result) ?? detail);
    },
  });
  return isSuccess(outcome) ? outcome : refusalOf(outcome as Failure, BY_ADMIN);
}
