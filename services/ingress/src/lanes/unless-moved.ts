import { type AdmitOnly, ShardMoved, UNKNOWN_RUN } from '@sluice/admission/shard-moved';
import type { Redis } from 'ioredis';
import type { Decision } from '../admit/decide.ts';

export interface UnlessMovedDeps<Item> {
  /** Admits a group. Rejects with ShardMoved if it may not be admitted there. */
  readonly commit: (items: readonly Item[], only: AdmitOnly) => Promise<readonly Decision[]>;
  /** The connection to the server of the shard (see shard-connection.ts); undefined while there is none. */
  readonly connection: () => Redis | undefined;
  /** Drops the sources that were looked up before. */
  readonly onMoved: () => void;
}

const VERIFY_AGAIN: Decision = { kind: 'verify_again' };

/** An item with the era in which it was submitted. */
export interface Stamped<Item> {
  readonly item: Item;
  readonly era: number;
}

export interface UnlessMoved<Item> {
  /** To be called as soon as an item is verified. */
  stamp(item: Item): Stamped<Item>;
  commit(items: readonly Stamped<Item>[]): Promise<readonly Decision[]>;
}

/**
 * A shard that moves to another server may lose data: the replica that took over may still have the previous secret of a
 * source. The admission cannot see that from the source, because the cache here may be equally old. So a group is admitted
 * only in the run of Redis of the group before. An era ends with a run. Requests that were verified in an earlier era are
 * verified again, with sources from a new lookup, also those that waited meanwhile. A former master answers MOVED. The
 * lookups follow that, and find the new one.
 */
export function unlessMoved<Item>({ commit, connection, onMoved }: UnlessMovedDeps<Item>): UnlessMoved<Item> {
  let known: Redis | undefined;
  let run = UNKNOWN_RUN;
  let era = 0;
  const admit = async (items: readonly Item[], only: AdmitOnly): Promise<readonly Decision[] | undefined> => {
    try {
      return await commit(items, only);
    } catch (error) {
      if (!(error instanceof ShardMoved)) throw error;
      run = error.run ?? UNKNOWN_RUN;
      era += 1;
      onMoved();
      return undefined;
    }
  };
  return {
    stamp: (item) => ({ item, era }),
    async commit(stamped) {
      const current = connection();
      if (current === undefined) throw new Error('no connection to the server of the shard');
      if (current !== known) run = UNKNOWN_RUN;
      known = current;
      const isFresh = (one: Stamped<Item>) => one.era === begun;
      const begun = era;
      const fresh = stamped.filter(isFresh).map(({ item }) => item);
      if (fresh.length === 0) return stamped.map(() => VERIFY_AGAIN);
      const decisions = await admit(fresh, { connection: current, run });
      if (decisions === undefined) return stamped.map(() => VERIFY_AGAIN);
      let next = 0;
      return stamped.map((one) => (isFresh(one) ? (decisions[next++] as Decision) : VERIFY_AGAIN));
    },
  };
}
