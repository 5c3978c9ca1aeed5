import type { Fence } from '@sluice/admission/source-directory';
import type { Source, SourceChange, Sources } from '@sluice/store/sources';
import { type RecordDeps, sourceRecord } from './load-source-record.ts';
import type { SourcePublisher } from './source-directory.ts';
import { orUnconfirmed } from './unconfirmed-change.ts';

export interface ChangeSourceDeps {
  readonly sources: Pick<Sources, 'findSource' | 'changeSource'>;
  readonly accounts: RecordDeps['accounts'];
  readonly directory: SourcePublisher;
}

export type SourceChanged =
  | { readonly status: 'changed'; readonly source: Source }
  | { readonly status: 'source_not_found' }
  /** As the source is now, nothing is to be changed. */
  | { readonly status: 'declined'; readonly source: Source };

/** What a change that depends on the source says where nothing is to be changed. */
export const DECLINED = 'declined';

/**
 * Changes a source so that the change holds for the very next request on every ingress (design: guarantee 4), also
 * when this process dies at any line: fence first, then MongoDB, then publish. Resolves once it is in force.
 * Throws UnconfirmedChangeError when MongoDB or Redis did not answer after the fence went up.
 * A change that depends on the source as it is, is given as a function, and called again where somebody was faster.
 */
export async function changeSource(
  deps: ChangeSourceDeps,
  sourceId: string,
  change: SourceChange | undefined | ((source: Source) => SourceChange | typeof DECLINED),
): Promise<SourceChanged> {
  for (;;) {
    // Also keeps a mistyped id from leaving a fence in Redis for ever.
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
    // Where somebody was faster, what they stored is published, so that our fence comes down.
    const current = source ?? (await deps.sources.findSource(sourceId));
    if (current === undefined) return { status: 'source_not_found' };
    await orUnconfirmed(
      `The change of ${sourceId} is stored but not announced`,
      announce(deps, current, fence),
    );
    if (source !== undefined) return { status: 'changed', source };
  }
}

/** Publishes a source as it was read after its fence went up, and takes the fence away. */
export async function announce(
  deps: Pick<ChangeSourceDeps, 'accounts' | 'directory'>,
  source: Source,
  fence: Fence,
): Promise<void> {
  await deps.directory.publish(await sourceRecord(deps, source), fence);
}
