import { randomBytes } from 'node:crypto';

/** 48 bytes are a multiple of three, so their base64 has no padding, which some verifiers drop and others require. */
const BYTES = 48;

/** A new secret for signing replies, as Standard Webhooks writes it: `whsec_` and the base64 of the key. */
export function newReplySecret(): string {
  return `whsec_${randomBytes(BYTES).toString('base64')}`;
}

/** The context that a reply secret is sealed with. It differs from that of the signing secret, which is the id. */
export function replySecretContext(channelId: string): string {
  return `${channelId}:reply`;
}
