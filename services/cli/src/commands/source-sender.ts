import { auditedSenderChange } from '@sluice/accounts/secrets/change-sender';
import { PRESET_NAMES } from '@sluice/signature/presets/presets';
import { readSender } from '@sluice/signature/presets/read-sender';
import { OWN_PRESET, type Sender } from '@sluice/signature/sender/sender';
import { type Command, Option } from 'commander';
import { type CommonOptions, type Context, onStores, type Streams } from '../context.ts';
import { failed, wrongUsage } from '../exit-codes.ts';
import { expectKnownKey } from '../expect-known-key.ts';
import type { PresetOption } from '../option-types.ts';
import { readJsonOption } from '../read-file-option.ts';
import { readPastedSecret } from '../send/read-secret.ts';
import { EVENT_SOURCES, findInFamily, noSuch } from '../source-family.ts';

interface SenderOptions extends CommonOptions {
  readonly preset?: PresetOption | typeof OWN_PRESET;
  readonly profile?: string;
  readonly secretStdin?: true;
}

const HELP = `
The next request is verified by the new sender only. docs/senders.md has a section for each preset.

Examples:
  sluice source sender src_… --preset stripe --secret-stdin < secret.txt
  sluice source sender src_… --profile profile.json
  sluice source sender src_… --preset ${OWN_PRESET}`;

/** sluice source sender */
export function addSourceSender(parent: Command, context: Context): void {
  const command = parent
    .command('sender')
    .description('choose what sends to a source: how its requests are signed')
    .argument(EVENT_SOURCES.argument, 'the source')
    .addOption(
      new Option('--preset <name>', `a known sender; "${OWN_PRESET}" is the scheme of Sluice`).choices([
        ...PRESET_NAMES,
        OWN_PRESET,
      ]),
    )
    .option('--profile <file>', 'a profile as JSON, for a sender without a preset; - reads standard input')
    .option('--secret-stdin', 'read the secret that the sender has made from standard input')
    .addHelpText('after', HELP);

  onStores<SenderOptions>(context, command, async ({ stack, output, options, now, audited }, id = '') => {
    const sender = await chosenSender(context.streams, options);
    const secret = options.secretStdin ? await readPastedSecret(context.streams) : undefined;
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const before = await findInFamily(EVENT_SOURCES, sources, id);
    expectKnownKey(keyring, before);
    const deps = { accounts, sources, directory, keyring, now };
    const change = { sender, ...(secret !== undefined && { secret }) };
    const changed = await audited(before.account_id, auditedSenderChange(deps, before, change));
    switch (changed.status) {
      case 'source_not_found':
        throw noSuch('source', id);
      case 'secret_unfit':
        throw failed(`${changed.detail} Nothing was changed.`);
      case 'changed': {
        if (secret !== undefined) output.note(`The pasted secret ends with ${secret.slice(-4)}.`);
        const row = EVENT_SOURCES.row(stack.eventsUrl, changed.source);
        const { newSecret } = changed;
        if (newSecret !== undefined) output.note('The sender needs this new signing secret.');
        output.record(newSecret === undefined ? row : { ...row, signing_secret: newSecret });
      }
    }
  });
}

async function chosenSender(streams: Streams, options: SenderOptions): Promise<Sender | null> {
  const { preset, profile: file, secretStdin } = options;
  if (preset === undefined && file === undefined)
    throw wrongUsage('Pass --preset NAME, or --profile FILE for a sender without a preset.');
  if (file === '-' && secretStdin)
    throw wrongUsage('Only one of --profile and --secret-stdin can be read from standard input.');
  const profile = file === undefined ? undefined : await readJsonOption(streams, '--profile', file);
  const read = readSender({ preset, profile });
  if (read.outcome === 'valid') return read.sender;
  const lines = read.errors.map(
    ({ pointer, detail }) => `--profile: ${pointer.replace('/profile', '') || '/'}: ${detail}`,
  );
  throw wrongUsage(lines.join('\n'));
}
