import type { ImportRow, ImportRows } from '@sluice/dashboard-api/imports';
import { importDeed, importIntent, importRows } from '@sluice/import/apply/import-rows';
import { namedZone } from '@sluice/import/calendar/named-zone';
import type { Command } from 'commander';
import { cliName } from '../audit.ts';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import { applyRows, untilApplied } from '../import/apply-rows.ts';
import { checkTable } from '../import/check-table.ts';
import type { ImportLine } from '../import/import-line.ts';
import { mapColumns } from '../import/map-columns.ts';
import { printLines } from '../import/print-lines.ts';
import { readInput } from '../import/read-input.ts';
import { EVENT_SOURCES, findInFamily } from '../source-family.ts';

interface Options extends CommonOptions {
  readonly source: string;
  readonly dryRun?: true;
  readonly timeZone?: string;
  readonly map?: readonly string[];
}

/** How long to wait until the workers have applied the rows. Milliseconds. */
const PATIENCE_MS = 30_000;

const EXAMPLES = `
Examples:
  sluice import events.ics --source src_… --dry-run
  sluice import https://calendar.example.com/feed.ics --source src_…
  sluice import events.csv --source src_… --time-zone Europe/Berlin --map "Event name=title"

The dashboard reads the same files by the same rules, and can undo the import.
Exit codes: 0 every row is good, 1 a row is bad or the file can't be imported, 2 wrong usage, 75 try again later.`;

/** sluice import */
export function addImport(parent: Command, context: Context): void {
  const command = parent
    .command('import')
    .description('import events from a CSV file, a calendar or a feed')
    .argument('<file_or_url>', 'CSV or iCalendar file; http(s):// or webcal:// of a feed')
    .requiredOption('--source <id>', 'the source that the events belong to')
    .option('--dry-run', 'show what each row would do, and change nothing')
    .option('--time-zone <zone>', 'zone of times without one, such as Europe/Berlin (default: UTC)')
    .option(
      '--map <column=field>',
      'field of a CSV column that is not recognized; repeatable',
      (one: string, others: readonly string[] = []) => [...others, one],
    )
    .addHelpText('after', EXAMPLES);

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }, input = '') => {
    const { source: sourceId, timeZone: zone, dryRun = false, map = [] } = options;
    if (zone !== undefined && namedZone(zone) === undefined)
      throw wrongUsage(
        `--time-zone ${zone}: no such time zone. Examples: Europe/Berlin, America/New_York, UTC.`,
      );
    const { sources, deliverySearch, ...stored } = await stack.store();
    const table = await readInput(stack.env, input, zone);
    const settings = { mapping: mapColumns(table, map), zone: zone ?? 'UTC', now: now() };
    const source = await findInFamily(EVENT_SOURCES, sources, sourceId);
    const checked = await checkTable({ ...stored, now }, source, { table, ...settings });
    let lines: readonly ImportLine[] = checked.lines;
    if (!dryRun && checked.good.length > 0) {
      const deps = { ...stored, enqueueActions: await stack.enqueueActions(now), now };
      const importer = { ...source, by: cliName() };
      const { good: rows, seen } = checked;
      const order = { source_id: source.source_id, table, rows, seen };
      const target = sourceTarget(source);
      const importPart = (part: ImportRows) =>
        audited(source.account_id, {
          intent: importIntent(target, part),
          work: () => importRows(deps, importer, part),
          deed: ({ whole }) => whole && importDeed(target, whole),
        });
      const { refused, deliveryIds } = await applyRows(importPart, order, (done, total) =>
        output.note(`${count(done)} of ${count(total)} rows sent`),
      );
      lines = withRefusals(lines, refused);
      const waiting = await untilApplied({ deliverySearch }, deliveryIds, PATIENCE_MS);
      if (waiting > 0) output.note(`${count(waiting)} rows are accepted and wait for a worker.`);
    }
    const bad = await printLines(output, {
      lines,
      notes: checked.notes,
      json: options.json === true,
      dryRun,
    });
    if (bad > 0) context.exitWith(EXIT.failed);
  });
}

function count(rows: number): string {
  return rows.toLocaleString('en');
}

function withRefusals(
  lines: readonly ImportLine[],
  refused: ReadonlyMap<ImportRow, string>,
): readonly ImportLine[] {
  return lines.map((line) => {
    const detail = line.sent && refused.get(line.sent);
    return detail === undefined ? line : { ...line, verdict: 'bad', event: null, errors: [{ detail }] };
  });
}
