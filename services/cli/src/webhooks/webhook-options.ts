import { SUBSCRIBABLE_KINDS } from '@sluice/contract/event-kinds';
import type { Command } from 'commander';
import type { CommonOptions } from '../context.ts';
import { type EventOptions, eventFilter, given } from './event-filter.ts';

/** The fields of a webhook subscription as options. */
export interface WebhookOptions extends CommonOptions, EventOptions {
  readonly url?: string;
  readonly name?: string;
  readonly ordered?: boolean;
}

/** Adds the options of create and update. */
export function addWebhookOptions(command: Command): Command {
  return command
    .option('--url <url>', 'where the messages are sent to')
    .option('--events <a,b>', 'event kinds with commas between them, or "*" for all')
    .option('--name <name>', 'name of the subscription')
    .option('--ordered', 'send the messages about one record one after the other')
    .option('--no-ordered', 'send messages about one record at the same time too')
    .option('--source <id>', 'only events of this source')
    .option('--channel <id>', 'only conversations of this channel')
    .option('--stage <id>', 'only leads in this pipeline stage');
}

export const EVENT_KINDS_HELP = `
Event kinds:
  ${SUBSCRIBABLE_KINDS.join('\n  ')}
`;

/** The given fields, in the form that the API reads. Absent options are absent; an empty filter is removed. */
export function webhookOf({ url, name, ordered, ...rest }: WebhookOptions) {
  return { ...given({ target_url: url, name, ordered }), ...eventFilter(rest) };
}
