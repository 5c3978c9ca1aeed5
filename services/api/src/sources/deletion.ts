import { auditedDeletion } from '@sluice/accounts/sources/delete-source';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { deleteSource as deleteInput } from '@sluice/dashboard-api/sources';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Binder } from '../http/bind.ts';
import { done, notFound } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import type { OwnSource } from './own-source.ts';

const NO_SOURCE = notFound('source');

/** The deletion of a source, and what it affects. Channels have their own routes (channels/deletion.ts). */
export function deletionRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { eventSearch, audited } = deps;
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
    const result = await audited(who, request, auditedDeletion(deps, source, body.events));
    if (result.status === 'source_not_found') return NO_SOURCE;
    deps.sweepDeleted();
    return done(null);
  });
}

const MOST = 10_000;

/** Counts the events or conversations of a source, up to 10,000. `count` may stop at its limit. */
export async function countContents(
  count: (limit: number) => Promise<number>,
): Promise<{ count: number; more: boolean }> {
  const found = await count(MOST + 1);
  return { count: Math.min(found, MOST), more: found > MOST };
}
