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

/** Changes of one query. */
const PAGE = 500;
/** A part is shared for so long: a change that was erased since must not leave. Milliseconds. */
const SHARED_MS = 500;
/** Accounts with a shared part. */
const MOST_SHARED = 1_000;

interface Shared extends LogPart {
  readonly changes: readonly LoggedChange[];
  /** The part has all changes after this number. */
  readonly from: number;
}

export function createLogReader({
  outboundChanges,
}: {
  readonly outboundChanges: Pick<OutboundChanges, 'readLog'>;
}): LogReader {
  const shared = new Map<string, Promise<Shared>>();

  async function query(account_id: string, after: number, upTo: number): Promise<Shared> {
    const readAt = performance.now();
    const asked: LogQuery = { account_id, after, upTo, limit: PAGE };
    const changes = (await outboundChanges.readLog(asked)) as readonly LoggedChange[];
    const to = changes.length < PAGE ? upTo : (changes.at(-1)?.number ?? upTo);
    return { changes, readAt, from: after, to };
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
        if (!isFresh || after >= known.to) {
          if (shared.size >= MOST_SHARED) shared.clear();
          shared.set(accountId, reading);
        }
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
