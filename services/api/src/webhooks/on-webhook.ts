import {
  auditedChange,
  isSuccess,
  type Success,
  type WebhookChange,
} from '@sluice/outbound/subscriptions/audited-change';
import { findReached, type Reached } from '@sluice/outbound/subscriptions/find-reached';
import type { Request } from 'express';
import type { Refusal } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import type { RouteDeps } from '../parts.ts';
import { BY_ADMIN, type Refused, refusalOf } from './refusals.ts';

interface Call {
  readonly who: SignedIn;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Request;
}

/** Makes an audited change of the subscription in the path. */
export async function onWebhook<R extends { readonly status: string }>(
  { subscriptionDeps, audited }: RouteDeps,
  { who, params, request }: Call,
  {
    work,
    ...change
  }: Omit<WebhookChange<R>, 'work'> & {
    readonly work: (asked: Pick<Reached, 'accountId' | 'subscriptionId'>) => Promise<R>;
  },
): Promise<Success<R> | Refusal> {
  const asked = { accountId: who.accountId, subscriptionId: params.webhookId as string };
  const before = await findReached(subscriptionDeps, asked);
  if (before === undefined) return BY_ADMIN.notFound;
  const outcome = await audited(who, request, auditedChange(before, { ...change, work: () => work(asked) }));
  return isSuccess(outcome) ? outcome : refusalOf(outcome as Refused, BY_ADMIN);
}
