import { noSuchStage, stageByText } from '@sluice/leads/fields/read-stage';
import { splitTags, typedFields } from '@sluice/leads/import/read-lead-row';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommonOptions } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';

/** The fields of a lead as options. */
export interface LeadOptions extends CommonOptions {
  readonly name?: string;
  readonly company?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly externalId?: string;
  readonly note?: string;
  readonly stage?: string;
  readonly tags?: string;
  readonly field?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Adds the options of a lead's fields. */
export function addLeadOptions(command: Command): Command {
  return command
    .option('--name <name>', 'name of the person')
    .option('--company <company>', 'company')
    .option('--email <email>', 'email address')
    .option('--phone <phone>', 'phone number as written')
    .option('--external-id <id>', 'your own id of the lead, unique in the account')
    .option('--note <text>', 'a note')
    .option('--stage <stage>', 'id or name of a pipeline stage')
    .option('--tags <a,b>', 'tags; they replace all tags')
    .option('--field <name=value>', 'a custom field; can be repeated', addField)
    .option('--fields <json>', 'custom fields as a JSON object, such as {"budget":5000}', jsonObject);
}

/** The given fields, in the form that the API reads. Absent options are absent. */
export function leadOf(options: LeadOptions, settings: LeadSettings): Record<string, unknown> {
  const { name, company, email, phone, externalId, note, stage, tags, field, fields } = options;
  const sent = {
    ...{ name, company, email, phone, note },
    external_id: externalId,
    stage: stage === undefined ? undefined : stageOf(stage, settings),
    tags: tags === undefined ? undefined : splitTags(tags),
    fields:
      field === undefined && fields === undefined
        ? undefined
        : { ...typedFields(field ?? {}, settings), ...fields },
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}

/** The id of a stage by its id or name. Throws wrong usage, which lists the stages. */
export function stageOf(text: string, settings: LeadSettings): string {
  const id = stageByText(text, settings);
  if (id === undefined) throw wrongUsage(noSuchStage(text, settings));
  return id;
}

function addField(text: string, before: Readonly<Record<string, string>> = {}) {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as name=value, such as city=Berlin.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('Not JSON. Example: {"budget":5000}');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as object as never;
  throw new InvalidArgumentError('Not a JSON object. Example: {"budget":5000}');
}
