import type { LeadFilterQuery } from '@sluice/contract/lead/lead';
import { formatInstant } from '@sluice/contract/time/instant';
import type { LeadDeps } from '@sluice/leads/deps';
import { listLeads } from '@sluice/leads/list/list-leads';
import { readHistory } from '@sluice/leads/list/read-history';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadPlace } from '@sluice/store/leads/lead-query';
import type { Command } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { accountOfLead, leadReads, leadRow, noSuchLead } from '../leads/lead-access.ts';
import { stageOf } from '../leads/lead-options.ts';
import type { Cell, Row } from '../output.ts';
import { addListOptions, type ListOptions, limitOf, readPages, sortedBy } from '../paged-list.ts';

interface Options extends ListOptions {
  readonly account?: string;
  readonly q?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly externalId?: string;
  readonly stage?: string;
  readonly tag?: string;
}

const COLUMNS = ['id', 'created_at', 'stage', 'name', 'company', 'email', 'phone'];

/** sluice lead list */
export function addLeadList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list and search leads; all filters must match')
    .option('--account <id>', 'account of the leads (default: demo, or the only account)')
    .option(
      '--q <text>',
      'beginnings of words of name, company and email, or the first digits of the phone number',
    )
    .option('--email <email>', 'only leads with this email address')
    .option('--phone <phone>', 'only leads with this phone number')
    .option('--external-id <id>', 'only the lead with this external id')
    .option('--stage <stage>', 'only leads in this stage: its id or name')
    .option('--tag <tag>', 'only leads with this tag');
  addListOptions(command, 'leads').addHelpText(
    'after',
    '\nExample:\n  sluice lead list --q lovel --stage Qualified --json',
  );

  onStores<Options>(context, command, async ({ stack, output, options, now }) => {
    const store = await stack.store();
    const accountId = await existingAccount({ accounts: store.accounts, output }, options.account);
    const deps = leadReads(store, now);
    const { q, email, phone, externalId: external_id, tag } = options;
    const stage = options.stage && stageOf(options.stage, await deps.settings.readFresh(accountId));
    const filter = { q, email, phone, external_id, tag, stage };
    await output.rows(rowsOf(deps, { accountId, filter }, options), COLUMNS);
  });
}

async function* rowsOf(
  deps: LeadDeps,
  wanted: { readonly accountId: string; readonly filter: LeadFilterQuery },
  options: Options,
): AsyncGenerator<Row> {
  const { sort, updatedSince } = options;
  const by = sortedBy(sort);
  const order = { by, descending: sort.startsWith('-') } as const;
  const found = readPages<Lead, LeadPlace>(limitOf(options), async ({ limit, after }) => {
    const page = await listLeads(deps, {
      ...{ ...wanted, updatedSince, ...order, limit },
      ...(after !== undefined && { after }),
    });
    if (page.status === 'query_too_short') throw wrongUsage('--q: Give at least two characters of a word.');
    const last = page.items.at(-1);
    const isLast = !page.more || last === undefined;
    return { items: page.items, next: isLast ? null : { at: last[by], lead_id: last.lead_id } };
  });
  for await (const lead of found) yield leadRow(lead);
}

interface GetOptions extends CommonOptions {
  readonly history?: true;
}

/** sluice lead get */
export function addLeadGet(parent: Command, context: Context): void {
  const command = parent
    .command('get')
    .description('show a lead, or its changes')
    .argument('<lead_id>', 'the lead')
    .option('--history', 'list who changed what, newest first');

  onStores<GetOptions>(context, command, async ({ stack, output, options, now }, leadId = '') => {
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
