import { OVERLAPS, type Overlap } from '@sluice/contract/account/overlap';
import { parseInstant } from '@sluice/contract/time/instant';
import { nameInput } from '@sluice/dashboard-api/common';
import { RATE_MAX } from '@sluice/dashboard-api/sources';
import { PRESET_NAMES, type PresetName } from '@sluice/signature/presets/presets';
import { InvalidArgumentError, Option } from 'commander';
import { wrongUsage } from './exit-codes.ts';

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

/** `none` is the public API's word for `0`. */
const OVERLAP_CHOICES = [...OVERLAPS, 'none'];

/** The option --overlap of a rotation. */
export function overlapOption(description: string, fallback: Overlap): Option {
  const option = new Option('--overlap <time>', description).default(fallback);
  option.argChoices = OVERLAP_CHOICES;
  return option.argParser((text) => {
    if (OVERLAP_CHOICES.includes(text)) return text === 'none' ? '0' : text;
    throw new InvalidArgumentError(`Allowed choices are ${OVERLAP_CHOICES.join(', ')}.`);
  });
}

/** The option --secret, which is always refused. */
export function refusedSecret(): Option {
  return new Option('--secret <secret>').hideHelp().argParser(() => {
    throw wrongUsage(
      'Secrets are never arguments, because every user of this machine sees those. Write it to a file and pass --secret-file FILE.',
    );
  });
}

export type PresetOption = PresetName;

/** The option --preset of commands that sign and verify like a sender. */
export function presetOption(description: string): Option {
  return new Option('--preset <name>', description).choices(PRESET_NAMES);
}
