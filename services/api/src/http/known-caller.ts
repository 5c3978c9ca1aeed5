import type { Response } from 'express';

/** Marks a request as made with a session or a live API key. Its log line is always written. */
export function markKnownCaller(response: Response): void {
  response.locals.knownCaller = true;
}

/** Whether a request had a session or a live API key. */
export function hasKnownCaller(response: Response): boolean {
  return response.locals.knownCaller === true;
}
