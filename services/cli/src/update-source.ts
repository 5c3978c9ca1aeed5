import { knownChange } from '@sluice/accounts/audit/audited';
import { changeSettings, isChanged, type SourceChanged } from '@sluice/accounts/sources/change-source';
import type { ChannelSettings, Source, SourceSettings } from '@sluice/store/sources/source';
import { sourceTarget } from './audit-targets.ts';
import type { Job } from './context.ts';
import { wrongUsage } from './exit-codes.ts';
import { findInFamily, noSuch, type SourceFamily } from './source-family.ts';

export interface SourceUpdate {
  readonly family: SourceFamily;
  readonly id: string;
  readonly settings: SourceSettings & ChannelSettings;
  /** The settings in words, for the audit log. Empty: there are none. */
  readonly detail: string;
  /** An option with an example, for someone who gave none. */
  readonly example: string;
  /** Makes the change between what has to come before and after it. Default: nothing. */
  readonly around?: (before: Source, change: () => Promise<SourceChanged>) => Promise<SourceChanged>;
}

/** Changes the settings of a source or channel, with an audit entry. Throws wrong usage if there are none to change. */
export async function updateSource(
  { stack, audited }: Pick<Job<unknown>, 'stack' | 'audited'>,
  { family, id, settings, detail, example, around = (_, change) => change() }: SourceUpdate,
): Promise<Source> {
  if (detail === '') throw wrongUsage(`Nothing to change. Add an option, such as ${example}.`);
  const { accounts, sources } = await stack.store();
  const before = await findInFamily(family, sources, id);
  const directory = await stack.directory();
  const deed = { action: `${family.noun}.changed`, target: sourceTarget(before), detail } as const;
  const work = () => changeSettings({ accounts, sources, directory }, id, settings);
  const changed = await around(before, () => audited(before.account_id, knownChange(deed, work, isChanged)));
  if (changed.status === 'source_not_found') throw noSuch(family.noun, id);
  return changed.source;
}
