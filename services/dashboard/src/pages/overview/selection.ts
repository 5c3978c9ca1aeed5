import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { RowLinks } from './chart-card.tsx';
import type { PlotPick } from './plot/plot.tsx';

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

/** A bar stands for these requests of a bucket. */
export type Kind = { readonly [name in 'status' | 'status_class']?: string };

/** The settings of a choice in a chart: the length of its buckets, and where the choice is kept. */
export interface Pick extends ChartSelection {
  readonly bucketSeconds: number;
}

/**
 * A click on a chart chooses a bucket of time, and where a bar was clicked what it stands for; dragging chooses all
 * buckets on the way. The links lead to the same from the rows of the chart's table.
 */
export function usePick(
  { bucketSeconds, selection, select, hrefOf }: Pick,
  kinds: Readonly<Record<string, Kind>> = {},
) {
  const [under, setUnder] = useState<readonly [string, string] | null>(null);
  const pressed = useRef<string | null>(null);
  const selectionOf = (first: string, last: string, kind: Kind = {}): Selection => ({
    from: first,
    to: endOf(last, bucketSeconds),
    ...kind,
  });
  const links: RowLinks = (at, key) => {
    if (key === undefined) return hrefOf(selectionOf(at, at));
    const kind = kinds[key];
    return kind === undefined ? undefined : hrefOf(selectionOf(at, at, kind));
  };
  const end = () => {
    const kind = kinds[pressed.current ?? ''];
    pressed.current = null;
    setUnder(null);
    if (under === null) return;
    const [first, last] = ordered(under);
    select(selectionOf(first, last, first === last ? kind : {}));
  };
  return {
    links,
    /** The first and the last bucket that are being chosen, or were. */
    marked: under !== null ? ordered(under) : selection === null ? null : bucketsIn(selection, bucketSeconds),
    /** For a bar, by its key: it hears of the press before the chart does. */
    press: (key: string) => {
      pressed.current = key;
    },
    handlers: {
      down: (at) => setUnder([at, at]),
      move(at) {
        if (under !== null && at !== under[1]) setUnder([under[0], at]);
      },
      up: end,
      leave: () => setUnder(null),
      choose: (at) => select(selectionOf(at, at)),
    } satisfies PlotPick,
  };
}

function ordered([one, other]: readonly [string, string]): readonly [string, string] {
  return one < other ? [one, other] : [other, one];
}

/** The names of the first and the last bucket of a selection. */
function bucketsIn({ from, to }: Selection, bucketSeconds: number): readonly [string, string] | null {
  const last = Date.parse(to) - bucketSeconds * 1000;
  return Number.isNaN(last) || Number.isNaN(Date.parse(from)) ? null : [from, new Date(last).toISOString()];
}

/** Whether a bucket is among those that are marked; where none are, all count. */
export function isIn(at: string, marked: readonly [string, string] | null): boolean {
  return marked === null || (at >= marked[0] && at <= marked[1]);
}
