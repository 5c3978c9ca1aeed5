import { leadPatch } from '@sluice/contract/lead';
import { changeLead } from '@sluice/leads/change-lead';
import type { Command } from 'commander';
import { cliDoer } from '../audit.ts';
import { type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { CLI_ACTOR } from '../leads/cli-actor.ts';
import { accountOfLead, leadChanges } from '../leads/lead-access.ts';
import { addLeadOptions, type LeadOptions, leadOf } from '../leads/lead-options.ts';
import { leadRow, storedLead } from '../leads/stored-lead.ts';
import { parseOptions } from '../parse-options.ts';

const HELP = `
An empty value clears a field: --company "". An empty custom field is removed: --field city=

Example:
  sluice lead update lead_… --company "Analytical Engines" --field city=London`;

/** sluice lead update */
export function addLeadUpdate(parent: Command, context: Context): void {
  const command = addLeadOptions(parent.command('update').argument('<lead_id>', 'the lead'))
    .description('change fields of a lead; the others stay')
    .addHelpText('after', HELP);

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
