import { type Overlap, overlapMs } from '@sluice/contract/account/overlap';
import { formatInstant } from '@sluice/contract/time/instant';
import { newReplySecret, replySecretContext } from '@sluice/credentials/reply-secret';
import { type Keyring, open, seal } from '@sluice/credentials/seal';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Channel, PreviousReplySecret } from '@sluice/store/sources/source';
import { type ChangeSourceDeps, changeSource, DECLINED } from '../sources/change-source.ts';

export interface RotateReplySecretDeps extends ChangeSourceDeps {
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type ReplySecretRotated =
  | { readonly status: 'rotated'; readonly channel: Channel; readonly replySecret: string }
  | { readonly status: 'channel_not_found' };

/** Older secrets that sign replies beside the new one. A reply has at most three signatures. */
const MOST_OLDER = 2;

/**
 * Replaces the secret of a channel's replies. During the overlap replies are signed with the new secret and with each older one
 * that has not expired. Without an overlap they are signed with the new secret alone.
 */
export async function rotateReplySecret(
  deps: RotateReplySecretDeps,
  channelId: string,
  overlap: Overlap,
): Promise<ReplySecretRotated> {
  const replySecret = newReplySecret();
  const sealed_reply_secret = seal(deps.keyring, replySecretContext(channelId), replySecret);
  const result = await changeSource(deps, channelId, (source) =>
    isChannel(source)
      ? { sealed_reply_secret, previous_reply_secrets: olderSecrets(deps, source, overlap) }
      : DECLINED,
  );
  if (result.status !== 'changed' || !isChannel(result.source)) return { status: 'channel_not_found' };
  return { status: 'rotated', channel: result.source, replySecret };
}

/** Secrets that still sign after the rotation. One that no key opens is dropped, because it cannot sign. */
function olderSecrets(
  { keyring, now }: RotateReplySecretDeps,
  { source_id, sealed_reply_secret, previous_reply_secrets = [] }: Channel,
  overlap: Overlap,
): readonly PreviousReplySecret[] {
  const at = now();
  if (overlap === '0') return [];
  const replaced = { sealed_secret: sealed_reply_secret, expires_at: at + overlapMs(overlap) };
  return [replaced, ...previous_reply_secrets]
    .filter(({ expires_at }) => expires_at > at)
    .filter(
      ({ sealed_secret }) => open(keyring, replySecretContext(source_id), sealed_secret).status === 'opened',
    )
    .slice(0, MOST_OLDER);
}

/** When the last older secret stops signing replies (ms since the Unix epoch); null: no older one signs. */
export function replyOverlapEnd(
  { previous_reply_secrets = [] }: Pick<Channel, 'previous_reply_secrets'>,
  nowMs: number,
): number | null {
  const ends = previous_reply_secrets.map(({ expires_at }) => expires_at).filter((end) => end > nowMs);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** The audit log's detail for a rotation with an overlap. */
export function replyOverlapDetail(untilMs: number): string {
  return `replies are signed with the old secret too until ${formatInstant(untilMs)}`;
}
