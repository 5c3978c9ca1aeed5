import { formatInstant } from '@sluice/contract/instant';
import { OVERLAPS, type Overlap } from '@sluice/contract/overlap';
import { overlapDetail, overlapEnd } from '@sluice/management/end-overlap';
import { rotateSecret } from '@sluice/management/rotate-secret';
import { type Command, Option } from 'commander';
import { aboutSource } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { sourceWithSecret } from '../source-row.ts';
import { noSuchSource } from './no-such-source.ts';

interface RotateOptions extends CommonOptions {
  readonly overlap: Overlap;
}

/** sluice source rotate-secret */
export function addSourceRotateSecret(parent: Command, context: Context): void {
  const command = parent
    .command('rotate-secret')
    .description('replace the signing secret; the old one stops working at once, or after --overlap')
    .argument('<source_id>', 'the source')
    .addOption(
      new Option('--overlap <time>', 'how long the old secret is still accepted')
        .choices(OVERLAPS)
        .default('0'),
    );

  onStores<RotateOptions>(context, command, async ({ stack, output, now, audit, options }, sourceId = '') => {
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const { overlap } = options;
    const result = await rotateSecret({ accounts, sources, directory, keyring, now }, sourceId, { overlap });
    if (result.status !== 'rotated') throw noSuchSource(sourceId);
    const until = overlapEnd(result.source, now());
    const detail = until === null ? {} : { detail: overlapDetail(until) };
    const target = aboutSource(result.source);
    await audit(result.source.account_id, { action: 'secret.rotated', target, ...detail });
    if (until !== null) output.note(`The old secret is accepted until ${formatInstant(until)}.`);
    output.record(sourceWithSecret(stack.eventsUrl, result.source, result.signingSecret));
  });
}
