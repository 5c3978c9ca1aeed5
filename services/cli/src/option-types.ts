import { parseInstant } from '@sluice/contract/instant';
import { nameInput } from '@sluice/dashboard-api/common';
import { RATE_MAX } from '@sluice/dashboard-api/sources';
import { InvalidArgumentError } from 'commander';

/** Reads a whole number above 0. Throws InvalidArgumentError for anything else. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Not a whole number above 0.');
  return Number(text);
}

/** Checks a rate or a burst of a source by the dashboard's rules. */
export function rateNumber(text: string): number {
  const rate = positiveInteger(text);
  if (rate > RATE_MAX) throw new InvalidArgumentError(`At most ${RATE_MAX}.`);
  return rate;
}

const MAX_SHARDS = 64;

/** Checks a shard count by the rules of QUEUE_SHARDS. */
export function shardNumber(text: string): string {
  if (positiveInteger(text) > MAX_SHARDS) throw new InvalidArgumentError(`At most ${MAX_SHARDS}.`);
  return text;
}

/** Reads an ISO 8601 datetime as milliseconds since the Unix epoch. */
export function instant(text: string): number {
  const parsed = parseInstant(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.detail);
  return parsed.epochMs;
}

/** Checks a name by the dashboard's rules. */
export function givenName(text: string): string {
  const read = nameInput.safeParse(text);
  if (!read.success)
    throw new InvalidArgumentError(read.error.issues.map(({ message }) => message).join(' '));
  return read.data;
}
