import { randomBytes } from 'node:crypto';
import { type Keyring, type Opened, open } from './seal.ts';

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

/** The secrets of a channel's replies, as stored (store/sources/source.ts). */
export interface SealedReplySecrets {
  readonly source_id: string;
  readonly sealed_reply_secret: string;
  readonly previous_reply_secrets?: readonly {
    readonly sealed_secret: string;
    /** Milliseconds since the Unix epoch. */
    readonly expires_at: number;
  }[];
}

export type ReplySecretsOpened =
  /** The current secret first. A reply is signed with each of them. */
  | { readonly status: 'opened'; readonly secrets: readonly string[] }
  /** The current secret does not open. */
  | Exclude<Opened, { readonly status: 'opened' }>;

/** Opens the secrets that sign a reply at `nowMs` (ms since the Unix epoch). An older one that does not open is left out. */
export function openReplySecrets(
  keyring: Keyring,
  { source_id, sealed_reply_secret, previous_reply_secrets = [] }: SealedReplySecrets,
  nowMs: number,
): ReplySecretsOpened {
  const context = replySecretContext(source_id);
  const current = open(keyring, context, sealed_reply_secret);
  if (current.status !== 'opened') return current;
  const older = previous_reply_secrets
    .filter(({ expires_at }) => expires_at > nowMs)
    .map(({ sealed_secret }) => open(keyring, context, sealed_secret))
    .flatMap((opened) => (opened.status === 'opened' ? [opened.secret] : []));
  return { status: 'opened', secrets: [current.secret, ...older] };
}
