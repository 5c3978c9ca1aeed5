import { ROUTES } from '@sluice/dashboard-api/routes';
import { deleteSource as deleteInput } from '@sluice/dashboard-api/sources';
import { type DeleteSourceDeps, deletedDeed, deleteSource } from '@sluice/management/delete-source';
import type { EventSearch } from '@sluice/store/event-search';
import { isChannel } from '@sluice/store/is-channel';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound } from '../http/result.ts';
import { countContents } from './count-contents.ts';
import type { OwnSource } from './own-source.ts';
import { targetOf } from './routes.ts';

export interface DeletionDeps extends DeleteSourceDeps {
  readonly ownAnySource: OwnSource;
  readonly eventSearch: Pick<EventSearch, 'countEvents'>;
  /** Starts to remove what deleted sources left behind. */
  readonly sweepDeleted: () => void;
  readonly audit: Audit;
}

const NO_SOURCE = notFound('source');

/** The deletion of a source, and what it affects. Channels have their own routes (channels/deletion.ts). */
export function deletionRoutes({ guarded }: Binder, deps: DeletionDeps): void {
  const { eventSearch, audit } = deps;
  const ownEventSource: OwnSource = async (who, sourceId) => {
    const source = await deps.ownAnySource(who, sourceId);
    return source === undefined || isChannel(source) ? undefined : source;
  };

  guarded(ROUTES.sources.deletion, {}, async ({ who, params }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const count = (limit: number) => eventSearch.countEvents(source.source_id, limit);
    return done({ events: await countContents(count) });
  });

  guarded(ROUTES.sources.delete, { body: deleteInput }, async ({ who, params, body, request }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const result = await deleteSource(deps, source.source_id, body.events);
    if (result.status === 'source_not_found') return NO_SOURCE;
    await audit(who, request, deletedDeed(targetOf(source), result.source));
    deps.sweepDeleted();
    return done(null);
  });
}
