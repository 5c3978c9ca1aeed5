import type { Decision } from '../admit/decide.ts';

type Commit<Item> = (items: readonly Item[]) => Promise<readonly Decision[]>;

const VERIFY_AGAIN: Decision = { kind: 'verify_again' };

/**
 * A shard that moves to another server may lose data: the replica that took over may still have the previous secret of a
 * source. The admission cannot detect that, because the cache here may be equally old. So requests that were verified
 * before the move are verified again, with sources from a new lookup.
 */
export function unlessMoved<Item>(
  commit: Commit<Item>,
  { owner, onMoved }: { readonly owner: () => string; readonly onMoved: () => void },
): Commit<Item> {
  let known = owner();
  return async (items) => {
    const current = owner();
    if (current === known) return commit(items);
    known = current;
    onMoved();
    return items.map(() => VERIFY_AGAIN);
  };
}
