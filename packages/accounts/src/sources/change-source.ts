import { type RecordDeps, sourceRecord } from '@sluice/admission/load-source-record';
import type { ShardedDirectory } from '@sluice/admission/sharded-directory';
import type { Fence } from '@sluice/admission/source-directory';
import type { ChannelSettings, Source, SourceChange, SourceSettings } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import { orUnconfirmed } from '../audit/unconfirmed-change.ts';

export interface ChangeSourceDeps {
  readonly sources: Pick<Sources, 'findSource' | 'changeSource'>;
  readonly accounts: RecordDeps['accounts'];
  readonly directory: Pick<ShardedDirectory, 'fence' | 'publish'>;
}

export type SourceChanged =
  | { readonly status: 'changed'; readonly source: Source }
  | { readonly status: 'source_not_found' }
  /** The change function decided that the source needs no change. */
  | { readonly status: 'declined'; readonly source: Source };

/** Whether the source was changed, for the audit log. */
export const isChanged = ({ status }: SourceChanged): boolean => status === 'changed';

/** A change function returns this if the source needs no change. */
export const DECLINED = 'declined';

/**
 * Changes a source so that the very next request on every ingress uses the change (docs/guarantees.md, 4), even if this
 * process dies at any line: fence first, then MongoDB, then publish. Resolves once the change is in force.
 * A change that depends on the current source is a function. It is called again if another change was stored first.
 * Throws UnconfirmedChangeError if MongoDB or Redis did not respond after the fence went up.
 */
export async function changeSource(
  deps: ChangeSourceDeps,
  sourceId: string,
  change: SourceChange | undefined | ((source: Source) => SourceChange | typeof DECLINED),
): Promise<SourceChanged> {
  for (;;) {
    // Also keeps a mistyped id from leaving a permanent fence in Redis.
    const before = await deps.sources.findSource(sourceId);
    if (before === undefined) return { status: 'source_not_found' };
    const depends = typeof change === 'function';
    const wanted = depends ? change(before) : change;
    if (wanted === DECLINED) return { status: 'declined', source: before };
    const fence = await deps.directory.fence(sourceId, before.account_id);
    const stored = depends
      ? deps.sources.changeSource(sourceId, wanted, before.version)
      : deps.sources.changeSource(sourceId, wanted);
    const source = await orUnconfirmed(`MongoDB has not confirmed the change of ${sourceId}`, stored);
    // If another change was stored first, publish that one, so that our fence is removed.
    const current = source ?? (await deps.sources.findSource(sourceId));
    if (current === undefined) return { status: 'source_not_found' };
    await orUnconfirmed(
      `The change of ${sourceId} is stored but not announced`,
      announce(deps, current, fence),
    );
    if (source !== undefined) return { status: 'changed', source };
  }
}

/** Publishes a source that was read after its fence went up, and removes the fence. */
export async function announce(
  deps: Pick<ChangeSourceDeps, 'accounts' | 'directory'>,
  source: Source,
  fence: Fence,
): Promise<void> {
  await deps.directory.publish(await sourceRecord(deps, source), fence);
}

/** Changes name, rate limits, body storage or the settings of a channel; omitted settings stay. The next request uses the new settings. */
export function changeSettings(
  deps: ChangeSourceDeps,
  sourceId: string,
  settings: SourceSettings & ChannelSettings,
): Promise<SourceChanged> {
  const { name, ...others } = settings;
  // A name that stays is no rename, or lists by change would have the source again.
  return changeSource(deps, sourceId, (source) => (name === source.name ? others : settings));
}

/** Switches a source on or off. Once this resolves, every request of an inactive source is rejected with 403. */
export function setSourceActive(
  deps: ChangeSourceDeps,
  sourceId: string,
  active: boolean,
): Promise<SourceChanged> {
  return changeSource(deps, sourceId, { active });
}
