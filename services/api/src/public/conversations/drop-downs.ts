import { LIST_SORTS, type ListSort, pageParameters, updatedSince } from '@sluice/contract/api/public-list';
import { formatInstant } from '@sluice/contract/time/instant';
import type { Source } from '@sluice/store/sources/source';
import * as z from 'zod';
import { listOrder } from '../../leads/list-order.ts';
import type { RouteDeps } from '../../parts.ts';
import type { PublicCall } from '../layer/declare-route.ts';
import type { Place } from '../layer/list-route.ts';
import { hasPartOfName, listRoute, partOfName } from '../layer/list-route.ts';

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });

/** A source or channel in a menu. */
export const namedItem = z.object({
  id: z.string(),
  name: z.string(),
  created_at: instant,
  updated_at: instant.meta({ description: 'When the name was last changed, in UTC.' }),
});

const query = z.strictObject({
  ...pageParameters,
  sort: z.enum(LIST_SORTS).default('created_at'),
  updated_since: updatedSince,
  q: partOfName,
});
type Query = z.output<typeof query>;

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
    description:
      'Id and name, for menus and filters. Oldest first. A deleted one is missing, also in a list since an instant: read the whole list to learn of it.',
    scopes: ['webhooks'],
    query,
    item: namedItem,
    byChange: true,
    problems: [],
    async read({ accountId, query }: PublicCall<Query>, after: Place | undefined, deps: RouteDeps) {
      const { q, limit, sort, updated_since = 0 } = query;
      const all = inOrder(await deps.sources.listSources({ account_id: accountId, kind }), sort);
      const left = (after === undefined ? all : all.filter(isBehind(after, sort)))
        .filter(({ deleted }) => deleted === undefined)
        .filter((one) => timeOf(one, 'updated_at') >= updated_since)
        .filter(hasPartOfName(q));
      return {
        more: left.length > limit,
        items: left.slice(0, limit).map((one) => ({
          record: describe(one),
          place: placeOf(one, sort),
        })),
      };
    },
  });
}

type Time = 'created_at' | 'updated_at';

/** A machine whose clock is slow may have renamed a source before its creation. */
const timeOf = ({ created_at, renamed_at = 0 }: Source, by: Time): number =>
  by === 'created_at' ? created_at : Math.max(created_at, renamed_at);

function describe(source: Source): z.output<typeof namedItem> {
  return {
    ...{ id: source.source_id, name: source.name },
    created_at: formatInstant(source.created_at),
    updated_at: formatInstant(timeOf(source, 'updated_at')),
  };
}

/** Negative: the first place is before the second one in the list. */
function comparePlaces(a: Place, b: Place, sort: ListSort): number {
  const [at, id] = a as [number, string];
  const [otherAt, otherId] = b as [number, string];
  const rising = at - otherAt || (id < otherId ? -1 : id > otherId ? 1 : 0);
  return listOrder(sort).descending ? -rising : rising;
}

const placeOf = (source: Source, sort: ListSort): Place => [
  timeOf(source, listOrder(sort).by),
  source.source_id,
];

function inOrder(sources: readonly Source[], sort: ListSort): readonly Source[] {
  return sources.toSorted((a, b) => comparePlaces(placeOf(a, sort), placeOf(b, sort), sort));
}

/** A filter for the sources behind the last one of the previous page, which may have been renamed or deleted since. */
function isBehind(after: Place, sort: ListSort): (source: Source) => boolean {
  return (source) => comparePlaces(placeOf(source, sort), after, sort) > 0;
}
