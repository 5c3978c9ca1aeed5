import type { LEAD_SORTS } from '@sluice/dashboard-api/lead-names';
import type { LeadQuery } from '@sluice/dashboard-api/leads';

type Sort = (typeof LEAD_SORTS)[number];

/** The orders of the list, with their labels. The first is the default. */
export const SORT_OPTIONS = [
  { value: '-created_at', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: '-updated_at', label: 'Last changed first' },
] as const satisfies readonly { readonly value: Sort; readonly label: string }[];

/** Reads the filters and the order from the address. */
export function readLeadQuery(search: URLSearchParams): LeadQuery {
  const sort = SORT_OPTIONS.find(({ value }) => value === search.get('sort'))?.value;
  const filters = Object.fromEntries(
    ['q', 'stage', 'tag'].flatMap((name) => {
      const value = search.get(name) ?? '';
      // The search knows beginnings of words from two characters.
      return value.trim().length < (name === 'q' ? 2 : 1) ? [] : [[name, value]];
    }),
  );
  return { ...filters, ...(sort === undefined || sort === SORT_OPTIONS[0].value ? {} : { sort }) };
}

export function isFiltered({ q, stage, tag }: LeadQuery): boolean {
  return [q, stage, tag].some((one) => one !== undefined);
}
