import { auditedDeletion } from '@sluice/accounts/sources/delete-source';
import { deleteChannel as deleteInput } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Channel } from '@sluice/store/sources/source';
import type { Binder } from '../http/bind.ts';
import { done, notFound } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import type { RouteDeps } from '../parts.ts';
import { countContents } from '../sources/deletion.ts';

const NO_CHANNEL = notFound('channel');

/** The deletion of a channel, and what it affects. */
export function channelDeletionRoutes({ guarded }: Binder, deps: RouteDeps): void {
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
