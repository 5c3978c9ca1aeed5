import {
  LEAD_MATCHES,
  type LeadMatch,
  leadInput,
  leadMove,
  leadPatch,
  matchOn,
} from '@sluice/contract/lead/lead';
import { newId } from '@sluice/credentials/ids';
import { changeLead, moveLead } from '@sluice/leads/change/change-lead';
import { createLead } from '@sluice/leads/change/create-lead';
import { type Command, InvalidArgumentError } from 'commander';
import { existingAccount } from '../accounts.ts';
import { cliDoer } from '../audit.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { accountOfLead, CLI_ACTOR, leadChanges, leadRow, storedLead } from '../leads/lead-access.ts';
import { addLeadOptions, type LeadOptions, leadOf, stageOf } from '../leads/lead-options.ts';
import { parseOptions } from '../parse-options.ts';

interface CreateOptions extends LeadOptions {
  readonly account?: string;
  readonly matchOn?: readonly LeadMatch[];
}

const CREATE_HELP = `
Examples:
  sluice lead create --name "Ada Lovelace" --email ada@example.com --tags fair
  sluice lead create --email ada@example.com --company "Analytical Engines" --match-on email`;

/** sluice lead create */
export function addLeadCreate(parent: Command, context: Context): void {
  const command = addLeadOptions(parent.command('create'))
    .description('create a lead, or change the one that matches')
    .option(
      '--match-on <a,b>',
      `change the oldest lead with the same ${LEAD_MATCHES.join(', ')}, if there is one`,
      matches,
    )
    .option('--account <id>', 'account of the lead (default: demo, or the only account)')
    .addHelpText('after', CREATE_HELP);

  onStores<CreateOptions>(context, command, async ({ stack, output, options, now }) => {
    const deps = await leadChanges(stack, now);
    const { accounts } = await stack.store();
    const accountId = await existingAccount({ accounts, output }, options.account);
    const input = parseOptions(leadInput, leadOf(options, await deps.settings.readFresh(accountId)));
    const ids = { lead: newId('lead') };
    const written = await createLead(deps, {
      ...{ accountId, input, ids, matchOn: options.matchOn },
      ...{ actor: CLI_ACTOR, doer: cliDoer(), origin: 'api' },
    });
    const lead = storedLead(written, ids.lead);
    output.record({ ...leadRow(lead), created: written.status === 'created' });
  });
}

/** Reads --match-on by the rules of the API. */
export function matches(text: string): readonly LeadMatch[] {
  const read = matchOn.safeParse(text);
  if (!read.success)
    throw new InvalidArgumentError(read.error.issues.map(({ message }) => message).join(' '));
  return read.data;
}

const UPDATE_HELP = `
An empty value clears a field: --company "". An empty custom field is removed: --field city=

Example:
  sluice lead update lead_… --company "Analytical Engines" --field city=London`;

/** sluice lead update */
export function addLeadUpdate(parent: Command, context: Context): void {
  const command = addLeadOptions(parent.command('update').argument('<lead_id>', 'the lead'))
    .description('change fields of a lead; the others stay')
    .addHelpText('after', UPDATE_HELP);

  onStores<LeadOptions>(context, command, async ({ stack, output, options, now }, leadId = '') => {
    const deps = await leadChanges(stack, now);
    const accountId = await accountOfLead(await stack.store(), leadId);
    const patch = parseOptions(leadPatch, leadOf(options, await deps.settings.readFresh(accountId)));
    if (Object.keys(patch).length === 0)
      throw wrongUsage('Nothing to change. Add an option, such as --company NAME.');
    const author = { actor: CLI_ACTOR, doer: cliDoer() };
    const written = await changeLead(deps, { accountId, leadId, patch, ...author });
    output.record(leadRow(storedLead(written, leadId)));
  });
}

interface StageOptions extends CommonOptions {
  readonly note?: string;
}

const STAGE_HELP = `
If this command fails, its note may be stored. Look before you run it again: sluice lead get lead_… --history

Example:
  sluice lead stage lead_… Won --note "They signed"`;

/** sluice lead stage */
export function addLeadStage(parent: Command, context: Context): void {
  const command = parent
    .command('stage')
    .description('move a lead to another stage of the pipeline')
    .argument('<lead_id>', 'the lead')
    .argument('<stage>', 'id or name of the stage')
    .option('--note <text>', 'kept in the history of the lead, also without a move')
    .addHelpText('after', STAGE_HELP);

  onStores<StageOptions>(
    context,
    command,
    async ({ stack, output, options, now }, leadId = '', text = '') => {
      const deps = await leadChanges(stack, now);
      const accountId = await accountOfLead(await stack.store(), leadId);
      const stage = stageOf(text, await deps.settings.readFresh(accountId));
      const { note } = parseOptions(leadMove, { stage, note: options.note });
      const written = await moveLead(deps, {
        ...{ accountId, leadId, stage, actor: CLI_ACTOR, doer: cliDoer() },
        note: note || undefined,
      });
      output.record(leadRow(storedLead(written, leadId)));
    },
  );
}
