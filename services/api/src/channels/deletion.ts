import { auditedDeletion, type DeleteSourceDeps } from '@sluice/accounts/sources/delete-source';
import { deleteChannel as deleteInput } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import type { DeletedConversations } from '@sluice/store/conversations/deleted-conversations';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Channel } from '@sluice/store/sources/source';
import type { Audited } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { countContents } from '../sources/deletion.ts';
import type { OwnSource } from '../sources/own-source.ts';

export interface ChannelDeletionDeps extends DeleteSourceDeps {
  readonly ownAnySource: OwnSource;
  readonly deletedConversations: Pick<DeletedConversations, 'countConversations'>;
  readonly subscriptionDeps: SubscriptionDeps;
  /** Starts to remove what deleted sources and channels left behind. */
  readonly sweepDeleted: () => void;
  readonly audited: Audited;
}

const NO_CHANNEL = notFound('channel');

/** The deletion of a channel, and what it affects. */
export function channelDeletionRoutes({ guarded }: Binder, deps: ChannelDeletionDeps): void {
  const { deletedConversations, audited } = deps;
  const ownChannel = async (who: SignedIn, channelId: string | undefined): Promise<Channel | undefined> => {
    const source = await deps.ownAnySource(who, channelId);
    return source !== undefined && isChannel(source) ? source : undefined;
  };

  guarded(ROUTES.channels.deletion, {}, async ({ who, params }) => {
    const channel = await ownChannel(who, params.channelId);
    if (channel === undefined) return NO_CHANNEL;
    const count = (limit: number) => deletedConversations.countConversations(channel, limit);
    return done({ conversations: await countContents(count) });
  });

  guarded(ROUTES.channels.delete, { body: deleteInput }, async ({ who, params, body, request }) => {
    const channel = await ownChannel(who, params.channelId);
    if (channel === undefined) return NO_CHANNEL;
    const result = await audited(who, request, auditedDeletion(deps, channel, body.conversations));
    if (result.status === 'source_not_found') return NO_CHANNEL;
    await publishReply(deps.subscriptionDeps, channel);
    deps.sweepDeleted();
    return done(null);
  });
}
