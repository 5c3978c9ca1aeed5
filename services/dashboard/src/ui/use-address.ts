import { useSearchParams } from 'react-router';

/** They change with each key, or open a dialog. Back goes to the address before any other change. */
const REPLACED = new Set(['q', 'title', 'tag', 'new']);

/** The parameters of the address, such as filters, so that a link includes them and they survive a reload. */
export function useAddress() {
  const [search, setSearch] = useSearchParams();
  return {
    search,
    /** Changes some parameters, and keeps the others. An empty value removes one. */
    change: (values: Readonly<Record<string, string>>) =>
      setSearch(withParameters(values), {
        replace: Object.keys(values).some((name) => REPLACED.has(name)),
        preventScrollReset: true,
      }),
    clear: () => setSearch({}, { replace: true }),
  };
}

/** The parameters with other values. Not those of the last rendering: a drawer may have closed since, and would open again. */
export function withParameters(values: Readonly<Record<string, string>>): URLSearchParams {
  const changed = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}
