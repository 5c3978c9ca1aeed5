import { formatInstant } from '@sluice/contract/instant';
import { readHistory } from '@sluice/leads/read-history';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { accountOfLead, leadReads, noSuchLead } from '../leads/lead-access.ts';
import { leadRow } from '../leads/stored-lead.ts';
import type { Cell, Row } from '../output.ts';

interface Options extends CommonOptions {
  readonly history?: true;
}

/** sluice lead get */
export function addLeadGet(parent: Command, context: Context): void {
  const command = parent
    .command('get')
    .description('show a lead, or its changes')
    .argument('<lead_id>', 'the lead')
    .option('--history', 'list who changed what, newest first');

  onStores<Options>(context, command, async ({ stack, output, options, now }, leadId = '') => {
    const store = await stack.store();
    const accountId = await accountOfLead(store, leadId);
    if (options.history) {
      const rows = historyOf(leadReads(store, now), { accountId, leadId });
      return output.rows(rows, ['at', 'kind', 'actor', 'previous', 'note']);
    }
    const lead = await store.leads.findLead(accountId, leadId);
    if (lead === undefined) throw noSuchLead(leadId);
    output.record({ ...leadRow(lead), account_id: accountId });
  });
}

const PAGE = 100;

async function* historyOf(
  deps: Parameters<typeof readHistory>[0],
  which: { readonly accountId: string; readonly leadId: string },
): AsyncGenerator<Row> {
  let before: number | undefined;
  for (;;) {
    const page = await readHistory(deps, { ...which, before, limit: PAGE });
    if (page.status === 'not_found') throw noSuchLead(which.leadId);
    for (const { sequence, kind, at, actor, data, previous, note } of page.items)
      yield {
        ...{ sequence, kind, at: formatInstant(at), actor: { type: actor.type, id: actor.id } },
        ...{ data: data as Cell, previous: (previous ?? null) as Cell, note: note ?? null },
      };
    before = page.items.at(-1)?.sequence;
    if (!page.more || before === undefined) return;
  }
}
