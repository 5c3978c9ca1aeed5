import { useSearchParams } from 'react-router';

/** Requests that somebody chose in a chart: those of a time, and maybe of a status or a reason. As the API takes them. */
export interface Selection {
  readonly from: string;
  /** Excluded. */
  readonly to: string;
  readonly status?: string;
  readonly status_class?: string;
  readonly code?: string;
}

const NAMES = ['from', 'to', 'status', 'status_class', 'code'] as const;

/** What is chosen, kept in the address beside the range. */
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
    /** The address of this page with something chosen: what a link to it needs. */
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

/** When a bucket ends that begins then. */
export function endOf(at: string, bucketSeconds: number): string {
  return new Date(Date.parse(at) + bucketSeconds * 1000).toISOString();
}
