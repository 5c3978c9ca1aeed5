import type { HoldSource } from '@sluice/admission/hold-source';
import { createBoundedMap } from '../bounded-map.ts';

export interface HoldSourcesDeps {
  readonly hold: HoldSource;
  readonly onError: (error: unknown) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** An action that waits. */
interface Waiting {
  readonly account_id: string;
  readonly source_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly received_at: number;
}

/** A burst waits for less, and is no reason to reject what comes next. Milliseconds. */
const WAITS_LONG_MS = 5000;
/** Less than a source is held. Milliseconds. */
const AGAIN_MS = 2000;
const MOST_SOURCES = 10_000;

/**
 * Holds the sources of actions that wait for long, because what they send could fill the backlog, and close its shard for all
 * others. Returns at once.
 */
export function createHoldSources({
  hold,
  onError,
  now,
}: HoldSourcesDeps): (actions: readonly Waiting[]) => void {
  const heldAt = createBoundedMap<number>(MOST_SOURCES);
  return (actions) => {
    const at = now();
    for (const { account_id, source_id, received_at } of actions) {
      const before = heldAt.get(source_id);
      if (at - received_at < WAITS_LONG_MS) continue;
      if (before !== undefined && Math.abs(at - before) < AGAIN_MS) continue;
      heldAt.set(source_id, at);
      hold({ account_id, source_id }).catch(onError);
    }
  };
}
