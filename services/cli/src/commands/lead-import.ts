import type { CheckedLeadRow } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import { leftOutColumns } from '@sluice/import/read/lead-mapping';
import { type Command, InvalidArgumentError } from 'commander';
import { existingAccount } from '../accounts.ts';
import { cliName } from '../audit.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { checkFile, importFile } from '../leads/import-file.ts';
import { leadChanges, leadReads } from '../leads/lead-access.ts';
import type { MappedColumn } from '../leads/map-columns.ts';
import { leadRows, mappingOf, readLeadsFile } from '../leads/read-leads-file.ts';
import type { Output, Row } from '../output.ts';
import { matches } from './lead-change.ts';

interface Options extends CommonOptions {
  readonly account?: string;
  readonly matchOn: readonly LeadMatch[];
  readonly map?: readonly MappedColumn[];
  readonly dryRun?: true;
}

const HELP = `
The file is CSV; its first row has the column names. FIELD is name, company, email, phone, stage, external_id, tags,
note, or custom: a custom field with the name of the column. An import can be undone in the dashboard.

Examples:
  sluice lead import leads.csv --dry-run
  sluice lead import leads.csv --match-on email,phone --map "E-Mail 1=email" --map Budget=custom

Exit codes: 0 all rows good, 1 some rows bad.`;

/** sluice lead import */
export function addLeadImport(parent: Command, context: Context): void {
  const command = parent
    .command('import')
    .description('create and change leads by the rows of a CSV file')
    .argument('<file>', 'the CSV file')
    .option('--account <id>', 'account of the leads (default: demo, or the only account)')
    .option('--match-on <a,b>', 'how a row finds its lead; "none": each row makes a new one', matchesOrNone, [
      'email',
    ])
    .option('--map <column=field>', 'the field of a column; can be repeated', addColumn)
    .option('--dry-run', 'show what each row would do, and change nothing')
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }, path = '') => {
    const { matchOn, dryRun } = options;
    const table = await readLeadsFile(path);
    for (const note of table.notes ?? []) output.note(note);
    const mapping = mappingOf(table, options.map ?? []);
    const rows = leadRows(table, mapping);
    const leftOut = leftOutColumns(table.columns, mapping);
    if (leftOut.length > 0)
      output.note(`Columns left out: ${leftOut.join(', ')}. To keep one, add --map "${leftOut[0]}=custom".`);
    const store = await stack.store();
    const leadDeps = dryRun ? leadReads(store, now) : await leadChanges(stack, now);
    const accountId = await existingAccount({ accounts: store.accounts, output }, options.account);
    const file = { accountId, table, rows, matchOn };
    const checked = await checkFile({ leadDeps }, file);
    if (dryRun) return printRows(output, checked, new Map());
    const deps = { leadDeps, leadImports: store.leadImports, now };
    const onBatch = (done: number) => output.note(`${done} ${done === 1 ? 'row' : 'rows'} imported`);
    const { refused } = await importFile(deps, { ...file, by: cliName(), audited, onBatch }, checked);
    await printRows(output, checked, refused);
  });
}

const COUNTED = { new: 'new', update: 'update', same: 'unchanged', bad: 'bad' } as const;

/** Prints a line for each row and the counts. Throws a failure if some row is bad. */
async function printRows(
  output: Output,
  checked: readonly CheckedLeadRow[],
  refused: ReadonlyMap<number, string>,
): Promise<void> {
  const rows = checked.map((one) => rowOf(one, refused.get(one.row)));
  await output.rows(rows, ['row', 'verdict', 'lead_id', 'notes', 'errors']);
  const summary = { new: 0, update: 0, unchanged: 0, bad: 0 };
  for (const { verdict } of rows) summary[verdict as keyof typeof summary] += 1;
  output.summary(summary);
  if (summary.bad > 0) throw failed(`${summary.bad} of ${rows.length} rows are bad. The others are good.`);
}

function rowOf(checked: CheckedLeadRow, refusal: string | undefined): Row {
  const { row } = checked;
  if (refusal !== undefined)
    return { row, verdict: 'bad', lead_id: null, notes: [], errors: [{ field: null, detail: refusal }] };
  if (checked.verdict === 'bad')
    return { row, verdict: 'bad', lead_id: null, notes: [], errors: checked.errors };
  const { verdict, lead_id, notes } = checked;
  return { row, verdict: COUNTED[verdict], lead_id, notes, errors: [] };
}

function matchesOrNone(text: string): readonly LeadMatch[] {
  return text === 'none' ? [] : matches(text);
}

function addColumn(text: string, before: readonly MappedColumn[] = []): readonly MappedColumn[] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as column=field, such as "E-Mail 1=email".');
  return [...before, [text.slice(0, at), text.slice(at + 1).trim()]];
}
