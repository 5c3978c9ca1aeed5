import { parseInstant } from '@sluice/contract/instant';
import { InvalidArgumentError } from 'commander';

/** Reads a whole number above 0, or says what was wrong with it. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Not a whole number above 0.');
  return Number(text);
}

/** Reads an ISO 8601 datetime as milliseconds since the Unix epoch. */
export function instant(text: string): number {
  const parsed = parseInstant(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.detail);
  return parsed.epochMs;
}
