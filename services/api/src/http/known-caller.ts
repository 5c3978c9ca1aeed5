import type { Response } from 'express';

/** Marks a request as made with a session or a live API key of this account, which has separate log lines. */
export function markKnownCaller(response: Response, accountId: string): void {
  response.locals.knownCaller = accountId;
}

/** The account whose session or live API key a request had. */
export function knownCallerOf(response: Response): string | undefined {
  return response.locals.knownCaller as string | undefined;
}
