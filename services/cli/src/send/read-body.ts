import { ACTION_KINDS } from '@sluice/contract/event/action';
import { optionOf, SENT_FIELD_NAMES } from '@sluice/contract/event/event-fields';
import { readActionWithId } from '@sluice/contract/event/parse-action';
import { type Command, Option } from 'commander';
import { wrongUsage } from '../exit-codes.ts';

const EVENT_OPTIONS = SENT_FIELD_NAMES.map((name) => {
  const [flags, help] = optionOf(name);
  return { name, option: new Option(flags, help) };
});

/** Adds an option for each field of the event (docs/sending-events.md). */
export function addEventOptions(command: Command): void {
  for (const { option } of EVENT_OPTIONS) command.addOption(option);
}

/**
 * Builds the body of a request from the options. Checks it like the endpoint, and fails with exit code 2 and the
 * errors.
 */
export function readBody(action: string | undefined, options: object): Buffer {
  if (action === undefined)
    throw wrongUsage(`Name the action: ${ACTION_KINDS.join(', ')} (or use --body-file).`);
  const values = new Map(Object.entries(options));
  const event: Record<string, string> = {};
  for (const { name, option } of EVENT_OPTIONS) {
    const value = values.get(option.attributeName());
    if (value !== undefined) event[name] = value;
  }
  const value = { action, event };
  const read = readActionWithId(value);
  if (read.outcome === 'valid') return Buffer.from(JSON.stringify(value));
  if (read.outcome === 'malformed_json') throw wrongUsage(read.detail);
  throw wrongUsage(read.errors.map(({ pointer, detail }) => `${optionAt(pointer)}: ${detail}`).join('\n'));
}

function optionAt(pointer: string): string {
  const field = pointer.split('/').at(-1) ?? '';
  return EVENT_OPTIONS.find(({ name }) => name === field)?.option.long ?? field;
}
