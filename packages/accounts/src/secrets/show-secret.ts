import { replySecretContext } from '@sluice/credentials/reply-secret';
import { type Keyring, type Opened, open } from '@sluice/credentials/seal';
import type { Channel, Source } from '@sluice/store/sources/source';

/** The signing secret of a source in clear text, for configuring its sender. */
export function showSecret(keyring: Keyring, source: Pick<Source, 'source_id' | 'sealed_secret'>): Opened {
  return open(keyring, source.source_id, source.sealed_secret);
}

/** The secret of a channel's replies in clear text, for configuring its receiver. */
export function showReplySecret(
  keyring: Keyring,
  { source_id, sealed_reply_secret }: Pick<Channel, 'source_id' | 'sealed_reply_secret'>,
): Opened {
  return open(keyring, replySecretContext(source_id), sealed_reply_secret);
}
