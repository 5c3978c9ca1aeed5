import { pageParameters } from '@sluice/contract/public-list';
import type { Source } from '@sluice/store/source';
import type { Sources } from '@sluice/store/sources';
import * as z from 'zod';
import type { Place } from '../cursors.ts';
import type { PublicCall } from '../declare-route.ts';
import { listRoute } from '../list-route.ts';
import { hasPartOfName, partOfName } from '../part-of-name.ts';

/** An item of a menu. */
export const namedItem = z.object({ id: z.string(), name: z.string() });

const query = z.strictObject({ ...pageParameters, q: partOfName });
type Query = z.output<typeof query>;

export interface DropDownDeps {
  readonly sources: Pick<Sources, 'findSource' | 'listSources'>;
}

/** The account's channels, for menus and filters. */
export const listChannels = dropDown('channel', {
  path: '/api/public/channels',
  operationId: 'listChannels',
  summary: 'List channels',
});

/** The account's event sources, for menus and filters. */
export const listSources = dropDown('events', {
  path: '/api/public/sources',
  operationId: 'listSources',
  summary: 'List event sources',
});

function dropDown(
  kind: 'channel' | 'events',
  names: { readonly path: `/api/public/${string}`; readonly operationId: string; readonly summary: string },
) {
  return listRoute({
    ...names,
    tag: 'Public API',
    description: 'Id and name, for menus and filters. Oldest first.',
    scopes: ['webhooks'],
    query,
    item: namedItem,
    problems: [],
    async read(
      { accountId, query: { q, limit } }: PublicCall<Query>,
      after: Place | undefined,
      deps: DropDownDeps,
    ) {
      const all = await deps.sources.listSources({ account_id: accountId, kind });
      const rest = after === undefined ? all : all.slice(indexAfter(all, after[0] as string));
      const left = rest.filter(({ deleted }) => deleted === undefined).filter(hasPartOfName(q));
      return {
        more: left.length > limit,
        items: left.slice(0, limit).map(({ source_id: id, name }) => ({ record: { id, name }, place: [id] })),
      };
    },
  });
}

/** The index behind a source, which may have been renamed or deleted since. The document of a deleted source stays. */
function indexAfter(sources: readonly Source[], id: string): number {
  return sources.findIndex(({ source_id }) => source_id === id) + 1;
}
