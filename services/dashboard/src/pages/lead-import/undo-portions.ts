import type { LeadUndo, LeadUndoPortion } from '@sluice/dashboard-api/lead-imports';
import { UNDO_LEFT_SHOWN } from '@sluice/dashboard-api/limits';

const NO_EFFECT: LeadUndo = { erased: 0, restored: 0, left: 0, left_leads: [], untouched: 0 };

/** Reads all portions of an undo, or runs them, and adds them up, until the signal. `onProgress` receives the sum so far. */
export async function allPortions(
  read: (from: number) => Promise<LeadUndoPortion>,
  signal: AbortSignal,
  onProgress: (sum: LeadUndo) => void = () => {},
): Promise<LeadUndo> {
  let sum = NO_EFFECT;
  for (let from: number | null = 0; from !== null && !signal.aborted; ) {
    const { next, ...portion }: LeadUndoPortion = await read(from);
    sum = {
      erased: sum.erased + portion.erased,
      restored: sum.restored + portion.restored,
      left: sum.left + portion.left,
      left_leads: [...sum.left_leads, ...portion.left_leads].slice(0, UNDO_LEFT_SHOWN),
      untouched: sum.untouched + portion.untouched,
    };
    onProgress(sum);
    from = next;
  }
  return sum;
}
