import type { UnavailableReason } from '@sluice/contract/action-refused';
import type { Response } from 'express';

/** Is called with the reason if this response becomes a 503. */
export function onUnavailableOf(response: Response, note: (reason: UnavailableReason) => void): void {
  response.locals.noteUnavailable = note;
}

/** Notes why this response is a 503. */
export function noteUnavailable(response: Response, reason: UnavailableReason): void {
  (response.locals.noteUnavailable as ((reason: UnavailableReason) => void) | undefined)?.(reason);
}
