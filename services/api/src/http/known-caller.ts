import type { Response } from 'express';

/** Notes that a request was made with a session or a live API key: its log line is always written. */
export function noteKnownCaller(response: Response): void {
  response.locals.knownCaller = true;
}

/** Whether a request was made by somebody that this installation knows. */
export function hasKnownCaller(response: Response): boolean {
  return response.locals.knownCaller === true;
}
