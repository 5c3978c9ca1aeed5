import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { FILTER_NAMES, type FilterName, type Filters, readFilters } from './filter.ts';

export interface FilterState {
  readonly filters: Filters;
  /** An empty value removes the filter. */
  readonly set: (name: FilterName, value: string) => void;
  /** Sets several filters at once. */
  readonly change: (values: Filters) => void;
  readonly clear: () => void;
}

const NONE: Filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, '']));

/** Keeps the filters of the list in the address, so that a link includes them and they survive a reload. */
export function useFilters(): FilterState {
  const [search, setSearch] = useSearchParams();
  const key = FILTER_NAMES.map((name) => search.get(name) ?? '').join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other parts of the address may change while the filters stay the same.
  const filters = useMemo(() => readFilters(search), [key]);
  const change = (values: Filters) =>
    setSearch(
      (current) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === '') current.delete(name);
          else current.set(name, value);
        }
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  return { filters, change, set: (name, value) => change({ [name]: value }), clear: () => change(NONE) };
}
