import { overlapDetail, overlapEnd, rotateSecret } from '@sluice/accounts/secrets/rotate-secret';
import { formatInstant } from '@sluice/contract/instant';
import type { Overlap } from '@sluice/contract/overlap';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { expectKnownKey, LOST_KEY, LOST_KEY_HELP } from '../expect-known-key.ts';
import { overlapOption } from '../option-types.ts';
import { CHANNELS, EVENT_SOURCES, findInFamily, noSuch, type SourceFamily } from '../source-family.ts';

interface RotateOptions extends CommonOptions {
  readonly overlap: Overlap;
  readonly lostKey?: true;
}

/** sluice source rotate-secret */
export function addSourceRotateSecret(parent: Command, context: Context): void {
  addRotate(parent, context, EVENT_SOURCES);
}

/** sluice channel rotate-secret */
export function addChannelRotateSecret(parent: Command, context: Context): void {
  addRotate(parent, context, CHANNELS);
}

function addRotate(parent: Command, context: Context, family: SourceFamily): void {
  const command = parent
    .command('rotate-secret')
    .description('replace the signing secret; the old one stops working immediately, or after --overlap')
    .argument(family.argument, `the ${family.noun}`)
    .addOption(overlapOption('how long the old secret is still accepted', '0'))
    .option(LOST_KEY, LOST_KEY_HELP);

  onStores<RotateOptions>(
    context,
    command,
    async ({ stack, output, now, audited, options }, sourceId = '') => {
      const keyring = stack.keyring();
      const { accounts, sources } = await stack.store();
      const directory = await stack.directory();
      const { overlap, lostKey } = options;
      const before = await findInFamily(family, sources, sourceId);
      if (!lostKey) expectKnownKey(keyring, before);
      const deps = { accounts, sources, directory, keyring, now };
      const deed = { action: 'secret.rotated', target: sourceTarget(before) } as const;
      const result = await audited(before.account_id, {
        intent: deed,
        work: () => rotateSecret(deps, sourceId, { overlap }),
        deed(rotated) {
          if (rotated.status !== 'rotated') return undefined;
          const until = overlapEnd(rotated.source, now());
          return { ...deed, ...(until !== null && { detail: overlapDetail(until) }) };
        },
      });
      if (result.status !== 'rotated') throw noSuch(family.noun, sourceId);
      const until = overlapEnd(result.source, now());
      if (until !== null) output.note(`The old secret is accepted until ${formatInstant(until)}.`);
      output.record(family.withSecret(stack.eventsUrl, result.source, result.signingSecret));
    },
  );
}
