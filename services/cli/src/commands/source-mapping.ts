import { auditedMappingChange } from '@sluice/accounts/sources/change-mapping';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import { mapperOf } from '@sluice/signature/mapping/mapper';
import { type Mapping, readMapping } from '@sluice/signature/mapping/mapping';
import type { Source } from '@sluice/store/sources/source';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed, wrongUsage } from '../exit-codes.ts';
import { applyAgain } from '../mapping/apply-again.ts';
import { MAPPED_COLUMNS, tried } from '../mapping/mapped-row.ts';
import { positiveInteger } from '../option-types.ts';
import { readJsonOption } from '../read-file-option.ts';
import { EVENT_SOURCES, findInFamily, noSuch } from '../source-family.ts';

interface MappingOptions extends CommonOptions {
  readonly file?: string;
  readonly remove?: true;
  readonly try?: number;
  readonly again?: true;
  readonly dryRun?: true;
}

const HELP = `
docs/senders.md describes mappings. Without an option the command prints the mapping. --try changes nothing: it shows what the
mapping makes of the last bodies of the source. --again applies the mapping of the source to the requests of the last 30 days that it
has ignored or failed to read, oldest first. It leaves out those whose event has changed since.

Examples:
  sluice source mapping src_… > mapping.json
  sluice source mapping src_… --file mapping.json --try 20
  sluice source mapping src_… --file mapping.json
  sluice source mapping src_… --remove
  sluice source mapping src_… --again --dry-run`;

/** sluice source mapping */
export function addSourceMapping(parent: Command, context: Context): void {
  const command = parent
    .command('mapping')
    .description('set how the bodies of another sender become actions')
    .argument(EVENT_SOURCES.argument, 'the source')
    .option('--file <file>', 'the mapping as JSON; - reads standard input')
    .option('--remove', 'return to the mapping of the preset; without one, bodies must be actions')
    .option('--try <n>', 'only show what it makes of the last n stored bodies', positiveInteger)
    .option('--again', 'apply it to what it has ignored or failed to read in the last 30 days')
    .option('--dry-run', 'with --again: only show what would be applied')
    .addHelpText('after', HELP);

  onStores<MappingOptions>(context, command, async ({ stack, output, options, now, audited }, id = '') => {
    const { file, remove, try: tries, again, dryRun = false } = options;
    if ([file, remove, again].filter((one) => one !== undefined).length > 1)
      throw wrongUsage('Pass one of --file, --remove and --again.');
    if (dryRun && !again) throw wrongUsage('--dry-run needs --again. For a file, pass --try.');
    const mapping =
      file === undefined ? null : mappingIn(await readJsonOption(context.streams, '--file', file));
    const { accounts, sources, deliveries, deliverySearch } = await stack.store();
    const before = await findInFamily(EVENT_SOURCES, sources, id);
    if (again) {
      const mapper = mapperOf(before.sender);
      if (mapper === undefined) throw withoutMapping(before);
      const enqueue = dryRun ? undefined : await stack.enqueueActions(now);
      const { rows, counts } = await applyAgain(
        { deliverySearch, enqueue, audited, now },
        { source: before, mapper },
      );
      if (dryRun) await output.rows(rows, MAPPED_COLUMNS);
      return output.summary(counts);
    }
    if (file === undefined && !remove) return output.text(shown(before));
    if (tries !== undefined && mapping !== null) {
      const found = deliveries.listDeliveries({ source_id: id, limit: tries });
      return output.rows(tried(mapping, found), MAPPED_COLUMNS);
    }
    const directory = await stack.directory();
    const change = auditedMappingChange({ accounts, sources, directory }, before, mapping);
    const changed = await audited(before.account_id, change);
    switch (changed.status) {
      case 'source_not_found':
        throw noSuch('source', id);
      case 'declined':
        throw failed(`${id} has the sender of Sluice. Choose another first: sluice source sender`);
      case 'changed':
        output.record(EVENT_SOURCES.row(stack.eventsUrl, changed.source));
    }
  });
}

function shown(source: Source): string {
  const { sender } = source;
  if (sender?.mapping === undefined) throw withoutMapping(source);
  return printableLines(JSON.stringify(JSON.parse(sender.mapping), null, 2));
}

const withoutMapping = ({ source_id }: Source) =>
  failed(`${source_id} has no mapping: its bodies are actions.`);

function mappingIn(value: unknown): Mapping {
  const read = readMapping(value);
  if (read.outcome === 'valid') return read.mapping;
  throw wrongUsage(
    read.errors.map(({ pointer, detail }) => `--file: ${pointer || '/'}: ${detail}`).join('\n'),
  );
}
