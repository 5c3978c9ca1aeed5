import { ACTION_KINDS } from '@sluice/contract/action';
import { readAction } from '@sluice/contract/parse-action';
import { wrongUsage } from '../exit-codes.ts';
import type { SendOptions } from './send-options.ts';

/** The option for each field of the event (docs/sending-events.md). */
const FIELD_OPTIONS = {
  title: ['title', '--title'],
  starts_at: ['startsAt', '--starts-at'],
  ends_at: ['endsAt', '--ends-at'],
  description: ['description', '--description'],
  location: ['location', '--location'],
  url: ['eventUrl', '--event-url'],
  price: ['price', '--price'],
  recurring: ['recurring', '--recurring'],
  status: ['status', '--status'],
} as const satisfies Record<string, readonly [keyof SendOptions, string]>;

/**
 * Builds the body of a request from the options. Checks it like the endpoint, and fails with exit code 2 and the
 * errors.
 */
export function readBody(action: string | undefined, options: SendOptions): Buffer {
  if (action === undefined)
    throw wrongUsage(`Name the action: ${ACTION_KINDS.join(', ')} (or use --body-file).`);
  const event: Record<string, string> = {};
  for (const [field, [option]] of Object.entries(FIELD_OPTIONS)) {
    const value = options[option];
    if (value !== undefined) event[field] = value;
  }
  const value = { action, event };
  const read = readAction(value);
  if (read.outcome === 'valid') return Buffer.from(JSON.stringify(value));
  if (read.outcome === 'malformed_json') throw wrongUsage(read.detail);
  throw wrongUsage(read.errors.map(({ pointer, detail }) => `${optionOf(pointer)}: ${detail}`).join('\n'));
}

function optionOf(pointer: string): string {
  const field = pointer.split('/').at(-1) ?? '';
  return Object.hasOwn(FIELD_OPTIONS, field) ? FIELD_OPTIONS[field as keyof typeof FIELD_OPTIONS][1] : field;
}
