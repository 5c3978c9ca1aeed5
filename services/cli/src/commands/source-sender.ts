import { changeSender } from '@sluice/accounts/secrets/change-sender';
import { PRESET_NAMES, PRESETS } from '@sluice/signature/presets/presets';
import { readProfile } from '@sluice/signature/sender/profile';
import type { Sender } from '@sluice/signature/sender/sender';
import { type Command, Option } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores, type Streams } from '../context.ts';
import { failed, wrongUsage } from '../exit-codes.ts';
import { expectKnownKey } from '../expect-known-key.ts';
import type { PresetOption } from '../option-types.ts';
import { readFileOption } from '../read-file-option.ts';
import { readPastedSecret } from '../send/read-secret.ts';
import { EVENT_SOURCES, findInFamily, noSuch } from '../source-family.ts';

interface SenderOptions extends CommonOptions {
  readonly preset?: PresetOption | typeof OWN;
  readonly profile?: string;
  readonly secretStdin?: true;
}

/** The scheme of Sluice, which sources have without a sender. */
const OWN = 'sluice';

const HELP = `
The next request is verified by the new sender only. docs/senders.md has a section for each preset.

Examples:
  sluice source sender src_… --preset stripe --secret-stdin < secret.txt
  sluice source sender src_… --profile profile.json
  sluice source sender src_… --preset ${OWN}`;

/** sluice source sender */
export function addSourceSender(parent: Command, context: Context): void {
  const command = parent
    .command('sender')
    .description('choose what sends to a source: how its requests are signed')
    .argument(EVENT_SOURCES.argument, 'the source')
    .addOption(
      new Option('--preset <name>', `a known sender; "${OWN}" is the scheme of Sluice`).choices([
        ...PRESET_NAMES,
        OWN,
      ]),
    )
    .option('--profile <file>', 'a profile as JSON, for a sender without a preset; - reads standard input')
    .option('--secret-stdin', 'read the secret that the sender has made from standard input')
    .addHelpText('after', HELP);

  onStores<SenderOptions>(context, command, async ({ stack, output, options, now, audited }, id = '') => {
    const sender = await readSender(context.streams, options);
    const secret = options.secretStdin ? await readPastedSecret(context.streams) : undefined;
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const before = await findInFamily(EVENT_SOURCES, sources, id);
    expectKnownKey(keyring, before);
    const deed = { action: 'source.sender_changed', target: sourceTarget(before) } as const;
    const changed = await audited(before.account_id, {
      intent: deed,
      work: () =>
        changeSender({ accounts, sources, directory, keyring, now }, id, {
          sender,
          ...(secret !== undefined && { secret }),
        }),
      deed: (result) =>
        result.status === 'changed'
          ? { ...deed, detail: inWords(sender, secret !== undefined || result.newSecret !== undefined) }
          : undefined,
    });
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

async function readSender(streams: Streams, options: SenderOptions): Promise<Sender | null> {
  const { preset, profile: file, secretStdin } = options;
  if (preset === undefined && file === undefined)
    throw wrongUsage('Pass --preset NAME, or --profile FILE for a sender without a preset.');
  if (preset === OWN && file !== undefined) throw wrongUsage(`The preset ${OWN} has no profile.`);
  if (file === '-' && secretStdin)
    throw wrongUsage('Only one of --profile and --secret-stdin can be read from standard input.');
  if (preset === OWN) return null;
  if (file === undefined && preset !== undefined) return { preset, verify: PRESETS[preset].verify };
  const read = readProfile(parsed(await readFileOption(streams, '--profile', file ?? '-')));
  if (read.outcome === 'valid') return { preset: preset ?? read.profile.kind, verify: read.profile };
  throw wrongUsage(
    read.errors.map(({ pointer, detail }) => `--profile: ${pointer || '/'}: ${detail}`).join('\n'),
  );
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw wrongUsage('--profile: The file is not JSON.');
  }
}

/** The change for the audit log, without a secret. */
function inWords(sender: Sender | null, isNewSecret: boolean): string {
  const what = sender === null ? 'Sluice' : sender.preset;
  return isNewSecret ? `${what}, with a new secret` : what;
}
