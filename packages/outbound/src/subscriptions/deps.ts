import type { Keyring } from '@sluice/credentials/seal';
import type { Store } from '@sluice/store/connect';
import type { LeadSettingsStore } from '@sluice/store/leads/lead-settings';
import type { SubscriptionDirectory } from '../directory/subscription-directory.ts';
import type { Outbox } from '../log/outbox.ts';

export type UrlChecked =
  | { readonly outcome: 'url'; readonly url: string }
  | { readonly outcome: 'refused'; readonly code: string; readonly detail: string };

/** What a change of a stored subscription needs. */
export type EditDeps = Pick<
  SubscriptionDeps,
  'subscriptions' | 'subscriptionDirectory' | 'webhookCursors' | 'outboundChanges' | 'now' | 'sleep'
>;

/** The dependencies of every change of a subscription, and of its messages. */
export interface SubscriptionDeps
  extends Pick<
    Store,
    'subscriptions' | 'sources' | 'apiKeys' | 'webhookMessages' | 'webhookCursors' | 'outboundChanges'
  > {
  readonly subscriptionDirectory: Pick<
    SubscriptionDirectory,
    'fence' | 'publish' | 'republish' | 'version' | 'unpublished'
  >;
  readonly outbox: Outbox;
  readonly keyring: Keyring;
  /** Has the stages that filters may name. */
  readonly leadSettings: Pick<LeadSettingsStore, 'findSettings'>;
  /** Checks the form of an account's URL and the addresses of its host. Returns the URL as WHATWG writes it. */
  readonly checkTargetUrl: (text: string, accountId: string) => Promise<UrlChecked>;
  /** SUBSCRIPTION_LIMIT: subscriptions of an account. */
  readonly subscriptionLimit: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Resolves after this many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
}
