import { performance } from 'node:perf_hooks';
import type { LogQuery, OutboundChange, OutboundChanges } from '@sluice/store/outbound/outbound-changes';

/** Changes of an account's log, and when they were asked for by performance.now(). */
export interface LogPart {
  readonly changes: readonly LoggedChange[];
  /** The part has all changes up to this number. */
  readonly to: number;
  readonly readAt: number;
}

export type LoggedChange = OutboundChange & { readonly number: number };

/** Reads the logs of accounts. Subscriptions that read the same part at about the same time share it. */
export interface LogReader {
  /** Changes after a number, in their order, up to a number. Without any there is none. */
  read(accountId: string, after: number, upTo: number): Promise<LogPart>;
}

/** Changes of one query, and the text that they may have, in UTF-16 units: few changes are read where they are large. */
const PAGE = 500;
const PAGE_TEXT = 1024 * 1024;
/** A part is shared for so long: a change that was erased since must not leave. Milliseconds. */
const SHARED_MS = 500;
/** The text of all parts that are shared, in UTF-16 units. */
const SHARED_TEXT = 16 * 1024 * 1024;

interface Shared extends LogPart {
  readonly changes: readonly LoggedChange[];
  /** The part has all changes after this number. */
  readonly from: number;
  /** The length of its texts. */
  readonly text: number;
}

export function createLogReader({
  outboundChanges,
}: {
  readonly outboundChanges: Pick<OutboundChanges, 'readLog'>;
}): LogReader {
  /** The oldest comes first. */
  const shared = new Map<string, Promise<Shared>>();
  const parts = new Map<string, Shared>();
  let text = 0;
  /** The length of a text of the last part. */
  let usual = 4096;

  async function query(account_id: string, after: number, upTo: number): Promise<Shared> {
    const readAt = performance.now();
    const limit = Math.max(1, Math.min(PAGE, Math.floor(PAGE_TEXT / usual)));
    const asked: LogQuery = { account_id, after, upTo, limit };
    const page = await outboundChanges.readLog(asked);
    const changes = page.changes as readonly LoggedChange[];
    const length = changes.reduce((sum, change) => sum + change.text.length, 0);
    if (changes.length > 0) usual = Math.max(1, length / changes.length);
    const to = page.more ? (changes.at(-1)?.number ?? upTo) : upTo;
    return { changes, readAt, from: after, to, text: length };
  }

  function drop(accountId: string): void {
    text -= parts.get(accountId)?.text ?? 0;
    parts.delete(accountId);
    shared.delete(accountId);
  }

  function share(accountId: string, reading: Promise<Shared>): void {
    drop(accountId);
    shared.set(accountId, reading);
    reading.then(
      (part) => {
        if (shared.get(accountId) !== reading) return;
        parts.set(accountId, part);
        text += part.text;
        for (const [id, { readAt }] of parts) {
          if (text <= SHARED_TEXT && performance.now() - readAt < SHARED_MS) return;
          drop(id);
        }
      },
      () => shared.get(accountId) === reading && drop(accountId),
    );
  }

  return {
    async read(accountId, after, upTo) {
      while (after < upTo) {
        const current = shared.get(accountId);
        const known = await current?.catch(() => undefined);
        const isFresh = known !== undefined && performance.now() - known.readAt < SHARED_MS;
        if (isFresh && known.from <= after && after < known.to)
          return { ...known, changes: known.changes.slice(firstAfter(known.changes, after)) };
        // Others have begun to read meanwhile.
        if (current !== shared.get(accountId)) continue;
        const reading = query(accountId, after, upTo);
        // A subscription that is far behind leaves the newest part to the others.
        if (!isFresh || after >= known.to) share(accountId, reading);
        return reading;
      }
      return { changes: [], readAt: performance.now(), to: upTo };
    },
  };
}

/** The index of the first change after a number. */
function firstAfter(changes: readonly LoggedChange[], after: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle] as LoggedChange).number > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
