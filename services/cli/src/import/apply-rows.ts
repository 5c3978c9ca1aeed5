import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportRow, ImportRows } from '@sluice/dashboard-api/imports';
import type { ImportedRows } from '@sluice/import/apply/import-rows';
import { batchesOf } from '@sluice/import/read/batches';
import type { ImportTable } from '@sluice/import/read/import-table';
import type { DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import { failed, tryAgainLater } from '../exit-codes.ts';

export interface Applied {
  /** Why a row was rejected. Not by its number: the cancel of a moved event has that of its new row. */
  readonly refused: ReadonlyMap<ImportRow, string>;
  /** The deliveries of the accepted rows. */
  readonly deliveryIds: readonly string[];
}

export interface RowsToApply {
  readonly source_id: string;
  readonly table: ImportTable;
  readonly rows: readonly ImportRow[];
  /** The state of the source that the check has seen. */
  readonly seen?: string | undefined;
}

/** Imports the rows, part by part. Throws if the source or the service stops the import. */
export async function applyRows(
  importPart: (part: ImportRows) => Promise<ImportedRows>,
  order: RowsToApply,
  onProgress: (done: number, total: number) => void,
): Promise<Applied> {
  const { fileName, format } = order.table;
  const { source_id, seen } = order;
  const refused = new Map<ImportRow, string>();
  const deliveryIds: string[] = [];
  const body = {
    source_id,
    import_id: randomBytes(16).toString('hex'),
    file_name: fileName.slice(0, 200),
    format,
    seen,
  };
  let sent = 0;
  for (const rows of batchesOf(order.rows)) {
    const done = await importPart({ ...body, rows });
    for (const [n, { detail }] of done.refused.entries()) {
      const row = rows[done.refusedAt[n] ?? -1];
      if (row !== undefined) refused.set(row, detail);
    }
    deliveryIds.push(...done.deliveries);
    sent += rows.length;
    // A file of one part needs no progress.
    if (done.stopped === undefined && rows.length < order.rows.length) onProgress(sent, order.rows.length);
    if (done.stopped === undefined) continue;
    const { code, detail } = done.stopped;
    const message = `${detail} ${deliveryIds.length.toLocaleString('en')} rows were imported before. Import the file again.`;
    throw code === 'unavailable' || code === 'conflict' ? tryAgainLater(message) : failed(message);
  }
  return { refused, deliveryIds };
}

const POLL_MS = 50;
const PORTION = 1000;

/** Waits until the workers have applied the rows. Returns how many they have not applied within `patienceMs`. */
export async function untilApplied(
  { deliverySearch }: { readonly deliverySearch: Pick<DeliverySearch, 'countLogged'> },
  deliveryIds: readonly string[],
  patienceMs: number,
): Promise<number> {
  const until = performance.now() + patienceMs;
  let waiting = 0;
  for (let at = 0; at < deliveryIds.length; at += PORTION) {
    const ids = deliveryIds.slice(at, at + PORTION);
    let missing = ids.length;
    while (missing > 0) {
      missing = ids.length - (await deliverySearch.countLogged(ids));
      if (missing === 0 || performance.now() > until) break;
      await sleep(POLL_MS);
    }
    waiting += missing;
  }
  return waiting;
}
