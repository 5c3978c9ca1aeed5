import { LIST_SORTS, type ListSort } from '@sluice/contract/api/public-list';
import { type Command, Option } from 'commander';
import type { CommonOptions } from './context.ts';
import { instant, positiveInteger } from './option-types.ts';

export interface LimitOption extends CommonOptions {
  readonly limit?: number;
}

/** The options of a list of records that change. */
export interface ListOptions extends LimitOption {
  readonly updatedSince?: number;
  readonly sort: ListSort;
}

/** A table is read by people, and stays in memory until its widths are known. */
export const TABLE_LIMIT = 100;

/** Adds the options of `ListOptions`. `what` names the rows: "leads". */
export function addListOptions(command: Command, what: string): Command {
  return command
    .option('--updated-since <datetime>', `only ${what} changed at or after this time (ISO 8601)`, instant)
    .addOption(new Option('--sort <order>', 'the order').choices(LIST_SORTS).default('-created_at'))
    .option('--limit <n>', `only the first N (default: ${TABLE_LIMIT}; all with --json)`, positiveInteger);
}

/** The most rows to read: all with --json, because those are printed as they arrive. */
export function limitOf({ limit, json }: LimitOption, tableLimit = TABLE_LIMIT): number {
  return limit ?? (json ? Number.POSITIVE_INFINITY : tableLimit);
}

/** The field that a list is sorted by. */
export function sortedBy(sort: ListSort): 'created_at' | 'updated_at' {
  return sort.endsWith('updated_at') ? 'updated_at' : 'created_at';
}

export interface Page<Item, Place> {
  readonly items: readonly Item[];
  /** The start of the next page; null: there is none. */
  readonly next: Place | null;
}

const PAGE = 200;

/** Reads page after page, so that only one is in memory. */
export async function* readPages<Item, Place>(
  limit: number,
  read: (page: { readonly limit: number; readonly after: Place | undefined }) => Promise<Page<Item, Place>>,
): AsyncGenerator<Item> {
  let after: Place | undefined;
  for (let left = limit; left > 0; ) {
    const { items, next } = await read({ limit: Math.min(PAGE, left), after });
    yield* items;
    left -= items.length;
    if (next === null) return;
    after = next;
  }
}
