import type { mongo } from 'mongoose';
import { escaped } from '../deliveries/delivery-search.ts';
import { beyondPlace } from '../reading/beyond-place.ts';
import type { LeadDocument } from './lead-document.ts';

/** Selects leads of an account. All conditions must match. */
export interface LeadFilter {
  readonly account_id: string;
  readonly external_id?: string;
  /** A lead must have one word of each list. The first should be the rarest: an engine may use the index for it alone. */
  readonly words?: readonly (readonly string[])[];
  /** Beginnings of words that are longer than any stored beginning. */
  readonly long_words?: readonly string[];
  /** Like `words`, for lists in the order of changes. */
  readonly facets?: readonly string[];
  /** Earliest change, included. Milliseconds since the Unix epoch. */
  readonly updated_since?: number;
}

export interface LeadPlace {
  /** The time that the list is sorted by. Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly lead_id: string;
}

export interface LeadPage {
  readonly by: 'created_at' | 'updated_at';
  readonly descending: boolean;
  /** The last lead of the previous page. */
  readonly after?: LeadPlace;
  readonly limit: number;
}

/** One query for a page of leads. */
export interface LeadQuery {
  readonly filter: mongo.Filter<LeadDocument>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

/** The query for a page. */
export function leadQuery(filter: LeadFilter, { by, descending, after, limit }: LeadPage): LeadQuery {
  const direction = descending ? -1 : 1;
  const beyond =
    after === undefined
      ? []
      : [beyondPlace<LeadDocument>(by, direction, { at: after.at, id: after.lead_id })];
  return {
    filter: { $and: [...conditions(filter), ...beyond] },
    sort: { [by]: direction, _id: direction },
    limit,
  };
}

/** The selection of a filter. */
export function conditions(filter: LeadFilter): mongo.Filter<LeadDocument>[] {
  const { account_id, external_id, words = [], long_words = [], facets = [], updated_since } = filter;
  return [
    { account_id },
    ...(external_id === undefined ? [] : [{ external_id }]),
    ...words.map((some) => ({ words: some.length === 1 ? (some[0] as string) : { $in: [...some] } })),
    ...facets.map((facet) => ({ facets: facet })),
    ...long_words.map((beginning) => ({ long_words: { $regex: `^${escaped(beginning)}` } })),
    ...(updated_since === undefined ? [] : [{ updated_at: { $gte: new Date(updated_since) } }]),
  ];
}
