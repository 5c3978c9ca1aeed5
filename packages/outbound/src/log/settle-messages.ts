import type { Result } from '../queue/turn.ts';
import { noteWaiting, type Progress } from './progress.ts';

/** A redelivery may have delivered a message that waits. What waits behind it may be sent then. */
function lookAgain(progress: Progress): void {
  if (progress.retryAt === null) return;
  progress.retryAt = 0;
  progress.waiting = undefined;
}

/** The ids of messages without a text that have a row. The log of attempts has the end of the others. */
export function rowsWithoutText({ rows, taken }: Progress, results: readonly Result[]): readonly string[] {
  const ended = results.filter(({ number, outcome }) => outcome === 'no_text' && rows.has(number));
  return ended.flatMap(({ number }) => taken.get(number)?.messageId ?? []);
}

/** Notes what became of a message that was taken. */
export function settleOne(progress: Progress, result: Result): void {
  const { number } = result;
  const entry = progress.taken.get(number);
  if (entry === undefined) return;
  const hadRow = progress.rows.delete(number);
  progress.taken.delete(number);
  if (progress.requests.open.has(number)) {
    if (result.outcome === 'resent') lookAgain(progress);
    return;
  }
  switch (result.outcome) {
    case 'done':
    case 'no_text':
    case 'resent':
      if (!hadRow) break;
      // The next message of its record may be sent now.
      if (progress.waiting !== undefined) progress.retryAt = 0;
      noteWaiting(progress, entry.recordId, -1);
      break;
    case 'again':
      progress.retryAt = Math.min(progress.retryAt ?? Number.POSITIVE_INFINITY, result.dueAt);
      if (!hadRow) noteWaiting(progress, entry.recordId, 1);
      break;
    case 'given_back':
      if (!hadRow) {
        progress.back.set(number, entry.recordId);
        progress.sent.delete(entry.messageId);
        // An attempt that could not be made has a row that waits.
        progress.retryAt = 0;
        progress.waiting = undefined;
      }
      break;
    default:
      result satisfies never;
  }
}
