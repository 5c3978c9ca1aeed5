import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { FILTER_NAMES, type FilterName, type Filters, readFilters } from './filter.ts';

export interface FilterState {
  readonly filters: Filters;
  /** An empty value takes the filter away. */
  readonly set: (name: FilterName, value: string) => void;
  readonly clear: () => void;
}

/** The filters of the list, kept in the address, so that it can be shared and survives a reload. */
export function useFilters(): FilterState {
  const [search, setSearch] = useSearchParams();
  const key = FILTER_NAMES.map((name) => search.get(name) ?? '').join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other parts of the address change without changing these.
  const filters = useMemo(() => readFilters(search), [key]);
  const change = (names: readonly FilterName[], value: string) =>
    setSearch(
      (current) => {
        for (const name of names) {
          if (value === '') current.delete(name);
          else current.set(name, value);
        }
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  return { filters, set: (name, value) => change([name], value), clear: () => change(FILTER_NAMES, '') };
}
