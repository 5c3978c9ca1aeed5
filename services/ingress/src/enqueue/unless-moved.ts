import { type AdmitOnly, ShardMoved, UNKNOWN_RUN } from '@sluice/admission/shard-moved';
import type { Redis } from 'ioredis';
import type { Decision } from '../admit/decide.ts';

type Commit<Item> = (items: readonly Item[]) => Promise<readonly Decision[]>;

export interface UnlessMovedDeps<Item> {
  /** Admits a group. Rejects with ShardMoved if it may not be admitted there. */
  readonly commit: (items: readonly Item[], only: AdmitOnly) => Promise<readonly Decision[]>;
  /** The connection to the server of the shard (see shard-connection.ts); undefined while there is none. */
  readonly connection: () => Redis | undefined;
  /** Drops the sources that were looked up before. */
  readonly onMoved: () => void;
}

const VERIFY_AGAIN: Decision = { kind: 'verify_again' };

/**
 * A shard that moves to another server may lose data: the replica that took over may still have the previous secret of a
 * source. The admission cannot see that from the source, because the cache here may be equally old. So a group is admitted
 * only in the run of Redis of the group before. Requests that were verified before the move are verified again, with sources
 * from a new lookup. A former master answers MOVED. The lookups follow that, and find the new one.
 */
export function unlessMoved<Item>({ commit, connection, onMoved }: UnlessMovedDeps<Item>): Commit<Item> {
  let known: Redis | undefined;
  let run = UNKNOWN_RUN;
  return async (items) => {
    const current = connection();
    if (current === undefined) throw new Error('no connection to the server of the shard');
    if (current !== known) run = UNKNOWN_RUN;
    known = current;
    try {
      return await commit(items, { connection: current, run });
    } catch (error) {
      if (!(error instanceof ShardMoved)) throw error;
      run = error.run ?? UNKNOWN_RUN;
      onMoved();
      return items.map(() => VERIFY_AGAIN);
    }
  };
}
