import type { AuditAction } from '@sluice/contract/account/audit-actions';
import { isStreamUrl } from '@sluice/contract/subscription/stream-url';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';

type Succeeded =
  | 'created'
  | 'existing'
  | 'taken_over'
  | 'changed'
  | 'unchanged'
  | 'rotated'
  | 'deleted'
  | 'discarded'
  | 'queued'
  | 'answered'
  | 'waiting';

/** An outcome with the subscription that it is about. */
export type Success<R> = Extract<R, { readonly status: Succeeded }> & { readonly subscription: Subscription };

/** An outcome that has changed nothing. */
export type Failure<R> = Exclude<R, { readonly status: Succeeded }>;

export function isSuccess<R extends { readonly status: string }>(outcome: R): outcome is Success<R> {
  return 'subscription' in outcome && outcome.status !== 'url_taken';
}

/** A subscription in the audit log. The path of a URL may be a secret, so the entry names only the host. */
export function subscriptionTarget({
  subscription_id: id,
  target_url,
  name,
}: Pick<Subscription, 'subscription_id' | 'target_url' | 'name'>) {
  if (isStreamUrl(target_url)) return { id, name: name ?? 'sluice listen' };
  const { host } = new URL(target_url);
  return { id, name: name === null ? host : `${host} (${name})` };
}

/** The audited change of a subscription. */
export function webhookDeed(action: AuditAction, subscription: Subscription, detail?: string) {
  return { action, target: subscriptionTarget(subscription), ...(detail !== undefined && { detail }) };
}

/** A change of a subscription, and how the audit log shows it. */
export interface WebhookChange<R> {
  readonly action: AuditAction;
  readonly detail?: string;
  readonly work: () => Promise<R>;
  /** A better detail, from the outcome. */
  readonly detailOf?: (outcome: Success<R>) => string;
  /** Whether a success has changed anything. Default: unless it is `unchanged`. */
  readonly isMade?: (outcome: Success<R>) => boolean;
}

/** A change of a subscription between the two writes of its audit entry (accounts/audit/audited.ts). */
export function auditedChange<R extends { readonly status: string }>(
  before: Subscription,
  { action, detail, work, detailOf, isMade = ({ status }) => status !== 'unchanged' }: WebhookChange<R>,
) {
  return {
    intent: webhookDeed(action, before, detail),
    work,
    deed: (result: R) =>
      isSuccess(result) && isMade(result)
        ? webhookDeed(action, result.subscription, detailOf?.(result) ?? detail)
        : undefined,
  };
}
