import type { LeadFilterQuery } from '@sluice/contract/lead';
import { LIST_SORTS, type ListSort } from '@sluice/contract/public-list';
import type { LeadDeps } from '@sluice/leads/deps';
import { listLeads } from '@sluice/leads/list-leads';
import type { Lead } from '@sluice/store/lead-document';
import type { LeadPlace } from '@sluice/store/lead-query';
import { type Command, Option } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { leadReads } from '../leads/lead-access.ts';
import { stageOf } from '../leads/lead-options.ts';
import { leadRow } from '../leads/stored-lead.ts';
import { instant, positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';

interface Options extends CommonOptions {
  readonly account?: string;
  readonly q?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly externalId?: string;
  readonly stage?: string;
  readonly tag?: string;
  readonly updatedSince?: number;
  readonly sort: ListSort;
  readonly limit?: number;
}

const COLUMNS = ['id', 'created_at', 'stage', 'name', 'company', 'email', 'phone'];
/** A table is read by people, and stays in memory until its widths are known. */
const TABLE_LIMIT = 100;

/** sluice lead list */
export function addLeadList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list and search leads; all filters must match')
    .option('--account <id>', 'account of the leads (default: demo, or the only account)')
    .option('--q <text>', 'beginnings of words of name, company and email, or digits of the phone number')
    .option('--email <email>', 'only leads with this email address')
    .option('--phone <phone>', 'only leads with this phone number')
    .option('--external-id <id>', 'only the lead with this external id')
    .option('--stage <stage>', 'only leads in this stage: its id or name')
    .option('--tag <tag>', 'only leads with this tag')
    .option('--updated-since <datetime>', 'only leads changed at or after this time (ISO 8601)', instant)
    .addOption(new Option('--sort <order>', 'the order').choices(LIST_SORTS).default('-created_at'))
    .option('--limit <n>', `only the first N (default: ${TABLE_LIMIT}; all with --json)`, positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice lead list --q lovel --stage Qualified --json');

  onStores<Options>(context, command, async ({ stack, output, options, now }) => {
    const store = await stack.store();
    const accountId = await existingAccount({ accounts: store.accounts, output }, options.account);
    const deps = leadReads(store, now);
    const { q, email, phone, externalId: external_id, tag } = options;
    const stage = options.stage && stageOf(options.stage, await deps.settings.readFresh(accountId));
    const filter = { q, email, phone, external_id, tag, stage };
    const limit = options.limit ?? (options.json ? Number.POSITIVE_INFINITY : TABLE_LIMIT);
    await output.rows(leadsOf(deps, { accountId, filter, limit, options }), COLUMNS);
  });
}

interface Reading {
  readonly accountId: string;
  readonly filter: LeadFilterQuery;
  readonly limit: number;
  readonly options: Pick<Options, 'sort' | 'updatedSince'>;
}

const PAGE = 200;

/** Reads page after page, so that only one is in memory. */
async function* leadsOf(deps: LeadDeps, { accountId, filter, limit, options }: Reading): AsyncGenerator<Row> {
  const { sort, updatedSince } = options;
  const by = sort.endsWith('updated_at') ? 'updated_at' : 'created_at';
  const order = { by, descending: sort.startsWith('-') } as const;
  let after: LeadPlace | undefined;
  for (let left = limit; left > 0; ) {
    const page = await listLeads(deps, {
      ...{ accountId, filter, updatedSince, ...order, limit: Math.min(PAGE, left) },
      ...(after !== undefined && { after }),
    });
    if (page.status === 'query_too_short') throw wrongUsage('--q: Give at least two characters of a word.');
    for (const lead of page.items) yield leadRow(lead);
    left -= page.items.length;
    const last: Lead | undefined = page.items.at(-1);
    if (!page.more || last === undefined) return;
    after = { at: last[by], lead_id: last.lead_id };
  }
}
