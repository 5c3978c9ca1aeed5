import { newId } from '@sluice/credentials/ids';
import { newReplySecret, replySecretContext } from '@sluice/credentials/reply-secret';
import { seal } from '@sluice/credentials/seal';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import type { Channel } from '@sluice/store/sources/source';
import { type CreateSourceDeps, type NewSource, sourceOf, storeSource } from './create-source.ts';

export interface NewChannel extends NewSource {
  /** Default: a new id. */
  readonly channelId?: string;
  /** A checked URL (outbound: checkReplyUrl); null or absent: replies are sent nowhere. */
  readonly replyUrl?: string | null;
  readonly makesLeads?: boolean;
}

export type ChannelCreated =
  | {
      readonly status: 'created';
      readonly channel: Channel;
      readonly signingSecret: string;
      /** Signs the replies. It exists even without a reply URL, so that the URL can be set later. */
      readonly replySecret: string;
    }
  | { readonly status: 'account_not_found' };

/** An id for a channel that its creator has to name before it exists. */
export const newChannelId = (): string => newId('chn');

/** Creates an active channel with a new signing secret and a new secret for its replies. */
export async function createChannel(deps: CreateSourceDeps, input: NewChannel): Promise<ChannelCreated> {
  if ((await deps.accounts.findAccount(input.accountId)) === undefined)
    return { status: 'account_not_found' };
  const channelId = input.channelId ?? newChannelId();
  const [signingSecret, replySecret] = [newSigningSecret(), newReplySecret()];
  const channel: Channel = {
    ...sourceOf(deps, channelId, input, signingSecret),
    kind: 'channel',
    reply_url: input.replyUrl ?? null,
    sealed_reply_secret: seal(deps.keyring, replySecretContext(channelId), replySecret),
    makes_leads: input.makesLeads ?? false,
  };
  await storeSource(deps, channel);
  return { status: 'created', channel, signingSecret, replySecret };
}
