import { SUBSCRIBABLE_KINDS } from '@sluice/contract/message/event-kinds';
import { Option } from 'commander';

/** The option --events. Its choices are for help and completion: commas join several. */
export function eventsOption(unlessGiven: string): Option {
  const option = new Option('--events <a,b>', `event kinds with commas between them${unlessGiven}`);
  option.argChoices = [...SUBSCRIBABLE_KINDS];
  return option;
}

/** The options that choose events. */
export interface EventOptions {
  readonly events?: string;
  readonly source?: string;
  readonly channel?: string;
  readonly stage?: string;
}

/** Event kinds and filter of the options, in the form that the API reads. Absent options are absent. */
export function eventFilter({ events, source, channel, stage }: EventOptions): {
  readonly events?: readonly string[];
  readonly filter?: Record<string, unknown>;
} {
  const filter = given({ source_id: source, channel_id: channel, stage });
  return {
    ...(events !== undefined && { events: events.split(',').map((one) => one.trim()) }),
    ...(Object.keys(filter).length > 0 && { filter }),
  };
}

export function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
