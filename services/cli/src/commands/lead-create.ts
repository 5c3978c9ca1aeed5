import { LEAD_MATCHES, type LeadMatch, leadInput, matchOn } from '@sluice/contract/lead';
import { newId } from '@sluice/credentials/ids';
import { createLead } from '@sluice/leads/create-lead';
import { type Command, InvalidArgumentError } from 'commander';
import { existingAccount } from '../accounts.ts';
import { cliDoer } from '../audit.ts';
import { type Context, onStores } from '../context.ts';
import { CLI_ACTOR } from '../leads/cli-actor.ts';
import { leadChanges } from '../leads/lead-access.ts';
import { addLeadOptions, type LeadOptions, leadOf } from '../leads/lead-options.ts';
import { leadRow, storedLead } from '../leads/stored-lead.ts';
import { parseOptions } from '../parse-options.ts';

interface Options extends LeadOptions {
  readonly account?: string;
  readonly matchOn?: readonly LeadMatch[];
}

const HELP = `
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
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now }) => {
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
