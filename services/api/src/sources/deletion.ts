import { auditedDeletion } from '@sluice/accounts/sources/delete-source';
import { deleteChannel } from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { deleteSource } from '@sluice/dashboard-api/sources';
import { publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { DeletedEvents, Source } from '@sluice/store/sources/source';
import type { Request } from 'express';
import type { Binder } from '../http/bind.ts';
import { done, notFound } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { channelsOf, eventSourcesOf } from '../parts/own-source.ts';
import type { RouteDeps } from '../parts.ts';

const NO_SOURCE = notFound('source');
const NO_CHANNEL = notFound('channel');

/** The deletions of sources and channels, and what they affect. */
export function deletionRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { eventSearch, deletedConversations } = deps;
  const ownSource = eventSourcesOf(deps.ownAnySource);
  const ownChannel = channelsOf(deps.ownAnySource);

  guarded(ROUTES.sources.deletion, {}, async ({ who, params }) => {
    const source = await ownSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const count = (limit: number) => eventSearch.countEvents(source.source_id, limit);
    return done({ events: await countContents(count) });
  });

  guarded(ROUTES.channels.deletion, {}, async ({ who, params }) => {
    const channel = await ownChannel(who, params.channelId);
    if (channel === undefined) return NO_CHANNEL;
    const count = (limit: number) => deletedConversations.countConversations(channel, limit);
    return done({ conversations: await countContents(count) });
  });

  const remove = async (who: SignedIn, request: Request, source: Source, contents: DeletedEvents) => {
    const result = await deps.audited(who, request, auditedDeletion(deps, source, contents));
    if (result.status === 'source_not_found') return isChannel(source) ? NO_CHANNEL : NO_SOURCE;
    if (isChannel(source)) await publishReply(deps.subscriptionDeps, source);
    deps.sweepDeleted();
    return done(null);
  };

  guarded(ROUTES.sources.delete, { body: deleteSource }, async ({ who, params, body, request }) => {
    const source = await ownSource(who, params.sourceId);
    return source === undefined ? NO_SOURCE : remove(who, request, source, body.events);
  });

  guarded(ROUTES.channels.delete, { body: deleteChannel }, async ({ who, params, body, request }) => {
    const channel = await ownChannel(who, params.channelId);
    return channel === undefined ? NO_CHANNEL : remove(who, request, channel, body.conversations);
  });
}

const MOST = 10_000;

/** Counts the events or conversations of a source, up to 10,000. `count` may stop at its limit. */
async function countContents(
  count: (limit: number) => Promise<number>,
): Promise<{ count: number; more: boolean }> {
  const found = await count(MOST + 1);
  return { count: Math.min(found, MOST), more: found > MOST };
}
