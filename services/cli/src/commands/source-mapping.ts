import { auditedMappingChange } from '@sluice/accounts/sources/change-mapping';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { readJson } from '@sluice/contract/event/parse-action';
import { printableLines } from '@sluice/runtime/telemetry/printable';
import { type Mapped, mapBody } from '@sluice/signature/mapping/map-body';
import { type Mapping, readMapping } from '@sluice/signature/mapping/mapping';
import type { Source } from '@sluice/store/sources/source';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed, wrongUsage } from '../exit-codes.ts';
import { positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';
import { readFileOption } from '../read-file-option.ts';
import { EVENT_SOURCES, findInFamily, noSuch } from '../source-family.ts';

interface MappingOptions extends CommonOptions {
  readonly file?: string;
  readonly remove?: true;
  readonly try?: number;
}

const HELP = `
docs/senders.md describes mappings. Without an option the command prints the mapping. --try changes nothing: it shows what the
mapping makes of the last bodies of the source.

Examples:
  sluice source mapping src_… > mapping.json
  sluice source mapping src_… --file mapping.json --try 20
  sluice source mapping src_… --file mapping.json
  sluice source mapping src_… --remove`;

/** sluice source mapping */
export function addSourceMapping(parent: Command, context: Context): void {
  const command = parent
    .command('mapping')
    .description('set how the bodies of another sender become actions')
    .argument(EVENT_SOURCES.argument, 'the source')
    .option('--file <file>', 'the mapping as JSON; - reads standard input')
    .option('--remove', 'return to the mapping of the preset; without one, bodies must be actions')
    .option('--try <n>', 'only show what it makes of the last n stored bodies', positiveInteger)
    .addHelpText('after', HELP);

  onStores<MappingOptions>(context, command, async ({ stack, output, options, audited }, id = '') => {
    const { file, remove, try: tries } = options;
    if (file !== undefined && remove) throw wrongUsage('Pass either --file or --remove.');
    const mapping =
      file === undefined ? null : mappingIn(await readFileOption(context.streams, '--file', file));
    const { accounts, sources, deliveries } = await stack.store();
    const before = await findInFamily(EVENT_SOURCES, sources, id);
    if (file === undefined && !remove) return output.text(shown(before));
    if (tries !== undefined && mapping !== null) {
      const found = deliveries.listDeliveries({ source_id: id, limit: tries });
      return output.rows(await tried(mapping, found), [
        'delivery_id',
        'outcome',
        'rule',
        'action',
        'title',
        'detail',
      ]);
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

function shown({ source_id, sender }: Source): string {
  if (sender?.mapping === undefined) throw failed(`${source_id} has no mapping: its bodies are actions.`);
  return printableLines(JSON.stringify(JSON.parse(sender.mapping), null, 2));
}

function mappingIn(bytes: Buffer): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw wrongUsage('--file: The file is not JSON.');
  }
  const read = readMapping(value);
  if (read.outcome === 'valid') return read.mapping;
  throw wrongUsage(
    read.errors.map(({ pointer, detail }) => `--file: ${pointer || '/'}: ${detail}`).join('\n'),
  );
}

/** What the mapping makes of each stored body. Headers are not stored, so conditions on them are not met. */
async function tried(mapping: Mapping, deliveries: AsyncIterable<Delivery>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { delivery_id, request } of deliveries) {
    if (typeof request?.body !== 'string') continue;
    rows.push({
      delivery_id,
      ...describe(readJson<Mapped>(request.body, (body) => mapBody(mapping, body, () => undefined))),
    });
  }
  return rows;
}

function describe(mapped: ReturnType<typeof readJson<Mapped>>): Row {
  const empty = { rule: null, action: null, title: null, detail: null };
  switch (mapped.outcome) {
    case 'action': {
      const { action, rule, notes } = mapped;
      const detail = notes.join(' ') || null;
      return { outcome: 'action', rule, action: action.kind, title: action.identity.title, detail };
    }
    case 'ignored':
      return {
        ...empty,
        outcome: 'ignored',
        rule: 'rule' in mapped ? mapped.rule : null,
        detail: mapped.code,
      };
    case 'failed':
      return { ...empty, outcome: 'failed', rule: mapped.rule, detail: mapped.detail };
    case 'malformed_json':
      return { ...empty, outcome: 'failed', detail: mapped.detail };
  }
}
