import { leadMove } from '@sluice/contract/lead';
import { moveLead } from '@sluice/leads/change-lead';
import type { Command } from 'commander';
import { cliDoer } from '../audit.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { CLI_ACTOR } from '../leads/cli-actor.ts';
import { accountOfLead, leadChanges } from '../leads/lead-access.ts';
import { stageOf } from '../leads/lead-options.ts';
import { leadRow, storedLead } from '../leads/stored-lead.ts';
import { parseOptions } from '../parse-options.ts';

interface Options extends CommonOptions {
  readonly note?: string;
}

const HELP = `
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
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now }, leadId = '', text = '') => {
    const deps = await leadChanges(stack, now);
    const accountId = await accountOfLead(await stack.store(), leadId);
    const stage = stageOf(text, await deps.settings.readFresh(accountId));
    const { note } = parseOptions(leadMove, { stage, note: options.note });
    const written = await moveLead(deps, {
      ...{ accountId, leadId, stage, actor: CLI_ACTOR, doer: cliDoer() },
      note: note || undefined,
    });
    output.record(leadRow(storedLead(written, leadId)));
  });
}
