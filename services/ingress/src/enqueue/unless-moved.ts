import type { Decision } from '../admit/decide.ts';

type Commit<Item> = (items: readonly Item[]) => Promise<readonly Decision[]>;

const VERIFY_AGAIN: Decision = { kind: 'verify_again' };

/**
 * A shard that is on another server than before may know less: a replica took over, and a secret that was rotated a
 * moment before is the former one there. The admission could not tell, as what is cached here is that old too; so what
 * was verified before the move is verified again, with sources that are looked up anew.
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
