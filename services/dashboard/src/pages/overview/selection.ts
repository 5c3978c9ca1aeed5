import { useSearchParams } from 'react-router';

/** Requests chosen in a chart: a time range, optionally with a status or a reason. The API accepts the same names. */
export interface Selection {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  readonly status?: string;
  readonly status_class?: string;
  readonly code?: string;
}

const NAMES = ['from', 'to', 'status', 'status_class', 'code'] as const;

/** Keeps the choice in the address, beside the range. */
export function useSelection() {
  const [search, setSearch] = useSearchParams();
  const found = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  );
  return {
    selection: 'from' in found && 'to' in found ? (found as unknown as Selection) : null,
    select: (selection: Selection | null) =>
      setSearch((current) => withSelection(current, selection), { preventScrollReset: true }),
    /** Returns the address of this page with a choice, for links. */
    hrefOf: (selection: Selection) => `?${withSelection(search, selection)}`,
  };
}

export type ChartSelection = ReturnType<typeof useSelection>;

function withSelection(search: URLSearchParams, selection: Selection | null): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of NAMES) next.delete(name);
  for (const [name, value] of Object.entries(selection ?? {})) next.set(name, value);
  return next;
}

/** Returns the end of the bucket that starts at `at`. */
export function endOf(at: string, bucketSeconds: number): string {
  return new Date(Date.parse(at) + bucketSeconds * 1000).toISOString();
}
