import { formatInstant } from '@sluice/contract/instant';

/** An instant for an answer; null stays null. */
export function instantOrNull(epochMs: number | null | undefined): string | null {
  return epochMs === null || epochMs === undefined ? null : formatInstant(epochMs);
}
