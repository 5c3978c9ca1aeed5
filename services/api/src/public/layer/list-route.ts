import { listOf } from '@sluice/contract/api/public-list';
import { formatInstant } from '@sluice/contract/time/instant';
import type { MacKeys } from '@sluice/credentials/mac';
import { SETTLED_MS } from '@sluice/store/changed-since';
import type { Page } from '@sluice/store/reading/read-page';
import * as z from 'zod';
import { type Refusal, refuse } from '../../http/result.ts';
import type { RouteDeps } from '../../parts.ts';
import { type PublicCall, type PublicRoute, publicRoute, type RouteSpec } from './declare-route.ts';

/** The place of a list's last item: what it is sorted by, and its id. */
export type Place = readonly (string | number)[];

/** The owner of a cursor. Every other list, filter, order and account rejects it. */
interface CursorOwner {
  readonly accountId: string;
  /** The operation id of the list. */
  readonly list: string;
  /** The order and filters of the list, and the ids in its path. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** The point at which a list continues. */
interface Continuation {
  readonly place: Place;
  /** All writes that began before have ended when the first page was read. Milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

/** Encodes a place as opaque text that only this list of this account accepts. */
function signCursor(mac: MacKeys, owner: CursorOwner, { place, startedAt }: Continuation): string {
  const text = Buffer.from(JSON.stringify([startedAt, ...place])).toString('base64url');
  return `${text}.${mac.sign('cursor', signedText(owner, text))}`;
}

/** Decodes a cursor; undefined if it was changed, or belongs to another list, order, filter or account. */
function readCursor(mac: MacKeys, owner: CursorOwner, cursor: string): Continuation | undefined {
  const [text = ''] = cursor.split('.', 1);
  if (!mac.fits('cursor', signedText(owner, text), cursor.slice(text.length + 1))) return undefined;
  // The code proves that signCursor made the text.
  const [startedAt, ...place] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  return { place, startedAt };
}

function signedText({ accountId, list, filters }: CursorOwner, text: string): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify([accountId, list, named.sort(([a], [b]) => (a < b ? -1 : 1)), text]);
}

/** The query parameter `q` of lists that menus show. */
export const partOfName = z
  .string()
  .max(200)
  .optional()
  .meta({ description: 'A part of the name, without case. Empty: all.' });

/** Returns a filter for names. Without `q` it passes all. */
export function hasPartOfName(q = ''): (named: { readonly name: string }) => boolean {
  const part = q.trim().toLowerCase();
  return ({ name }) => name.toLowerCase().includes(part);
}

const CURSOR_INVALID = refuse(
  'cursor_invalid',
  'This cursor was changed, or belongs to another list, order, filter or account. Send next_cursor unchanged, with the same filters and sort as for the first page. Or start again without a cursor.',
);

/** The query of every list, parsed (contract/api/public-list.ts). */
interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** One item of a page, and its place. */
interface Listed<Item> {
  readonly record: Item;
  readonly place: Place;
}

interface ListSpec<Q extends ListQuery, Item>
  extends Omit<
    RouteSpec<Q, undefined, unknown, never>,
    'method' | 'success' | 'response' | 'handler' | 'query'
  > {
  readonly query: z.ZodType<Q>;
  readonly item: z.ZodType<Item>;
  /** The list has `updated_since` and `updated_until`. */
  readonly byChange?: true;
  /** Reads the items after a place, in the order of the query. */
  read(call: PublicCall<Q>, after: Place | undefined, deps: RouteDeps): Promise<Page<Listed<Item>> | Refusal>;
}

/** Declares a list: cursor, `next_cursor`, `has_more`, `updated_until`, the Link header, and 204 for an empty cursor. */
export function listRoute<Q extends ListQuery, Item>(spec: ListSpec<Q, Item>): PublicRoute {
  const { item, read, byChange, ...rest } = spec;
  return publicRoute({
    ...rest,
    method: 'GET',
    success: { 200: 'A page of the list.', 204: 'An empty `cursor=`: the end of the list.' },
    response: listOf(item),
    problems: [...spec.problems, 'cursor_invalid'],
    async handler(call: PublicCall<Q>, deps: RouteDeps) {
      const { cursor, limit: _, ...filters } = call.query;
      // Clients send the null of the last page as an empty cursor. Read as the first page, it would never end.
      if (cursor === '') return { outcome: 'empty' };
      const owner = {
        accountId: call.accountId,
        list: spec.operationId,
        filters: { ...filters, ...call.params },
      };
      const from = cursor === undefined ? undefined : readCursor(deps.mac, owner, cursor);
      if (cursor !== undefined && from === undefined) return CURSOR_INVALID;
      // Before the page is read: what is written later is in the next list.
      const startedAt = from?.startedAt ?? (byChange ? await deps.serverTime() : deps.now());
      const page = await read(call, from?.place, deps);
      if ('outcome' in page) return page;
      const next = nextCursor(deps.mac, owner, page, startedAt);
      const body = {
        data: page.items.map(({ record }) => record),
        next_cursor: next ?? null,
        has_more: page.more,
        ...(byChange && { updated_until: formatInstant(startedAt - SETTLED_MS) }),
      };
      return { outcome: 'done', body, ...(next !== undefined && { nextCursor: next }) };
    },
  });
}

function nextCursor(
  mac: MacKeys,
  owner: CursorOwner,
  { items, more }: Page<Listed<unknown>>,
  startedAt: number,
): string | undefined {
  const last = items.at(-1);
  return more && last !== undefined ? signCursor(mac, owner, { place: last.place, startedAt }) : undefined;
}
