import { newReplySecret } from './reply-secret.ts';
import { type Keyring, type Opened, open, seal } from './seal.ts';

/** A new secret of a webhook subscription, as Standard Webhooks writes it. Replies have the same form. */
export const newSubscriptionSecret = newReplySecret;

/** The context that the secrets of a subscription are sealed with. */
export function subscriptionSecretContext(subscriptionId: string): string {
  return `${subscriptionId}:webhook`;
}

export function sealSubscriptionSecret(keyring: Keyring, subscriptionId: string, secret: string): string {
  return seal(keyring, subscriptionSecretContext(subscriptionId), secret);
}

export function openSubscriptionSecret(keyring: Keyring, subscriptionId: string, sealed: string): Opened {
  return open(keyring, subscriptionSecretContext(subscriptionId), sealed);
}
