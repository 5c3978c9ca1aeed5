import type { LeadSettingsStore } from '@sluice/store/leads/lead-settings';
import type { Command } from 'commander';
import type { CommonOptions } from '../context.ts';
import { stageOf } from '../leads/lead-options.ts';
import { type EventOptions, eventFilter, eventsOption, given } from './event-filter.ts';

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
    .addOption(eventsOption(', or "*" for all'))
    .option('--name <name>', 'name of the subscription')
    .option('--ordered', 'send the messages about one record one after the other')
    .option('--no-ordered', 'send messages about one record at the same time too')
    .option('--source <id>', 'only events of this source')
    .option('--channel <id>', 'only conversations of this channel')
    .option('--stage <stage>', 'only leads in this pipeline stage: its id or name');
}

/** The options with the id of their stage, which may be a name. Throws wrong usage, which lists the stages, for an unknown one. */
export async function withStageId<T extends WebhookOptions>(
  { leadSettings }: { readonly leadSettings: Pick<LeadSettingsStore, 'findSettings'> },
  accountId: string,
  options: T,
): Promise<T> {
  const { stage = '' } = options;
  // An empty value removes the filter.
  if (stage === '') return options;
  return { ...options, stage: stageOf(stage, await leadSettings.findSettings(accountId)) };
}

/** The given fields, in the form that the API reads. Absent options are absent; an empty filter is removed. */
export function webhookOf({ url, name, ordered, ...rest }: WebhookOptions) {
  return { ...given({ target_url: url, name, ordered }), ...eventFilter(rest) };
}
