import { newReplySecret, replySecretContext } from '@sluice/credentials/reply-secret';
import { type Keyring, seal } from '@sluice/credentials/seal';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import type { DeletedEvents, DeletedSource, Source } from '@sluice/store/sources/source';
import type { AuditedChange, Deed } from '../audit/audited.ts';
import { type ChangeSourceDeps, changeSource } from './change-source.ts';

export interface DeleteSourceDeps extends ChangeSourceDeps {
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type SourceDeleted =
  | { readonly status: 'deleted'; readonly source: Source & { readonly deleted: DeletedSource } }
  | { readonly status: 'source_not_found' };

/**
 * Deletes a source or channel permanently. Once this resolves, its URL responds like that of an unknown source, on every
 * ingress. Its accepted requests are still applied. An API server then deletes its events or conversations, if that is wanted
 * (sweep-deleted-source.ts). After the deletion of a channel, publish its replies, so that none leaves any more.
 *
 * It is one change of MongoDB, so that a process that dies leaves nothing half done. Repeating it is safe: it announces the
 * change again, keeps the time, and may still ask to delete what was kept.
 */
export async function deleteSource(
  deps: DeleteSourceDeps,
  sourceId: string,
  events: DeletedEvents,
): Promise<SourceDeleted> {
  const sealed_secret = seal(deps.keyring, sourceId, newSigningSecret());
  const withoutReplies = {
    ...{ reply_url: null, previous_reply_secrets: [] },
    sealed_reply_secret: seal(deps.keyring, replySecretContext(sourceId), newReplySecret()),
  };
  const changed = await changeSource(deps, sourceId, ({ kind, deleted }) => {
    // Actions of the dashboard on events that are kept need an active source. Kept conversations can only be read.
    const channel = kind === 'channel' ? { active: false, ...withoutReplies } : { active: true };
    const next = nextDeletion(deleted, events, deps.now());
    return { deleted: next, ...channel, sealed_secret, previous_secret: null };
  });
  if (changed.status !== 'changed') return { status: 'source_not_found' };
  const { source } = changed;
  if (source.deleted === undefined) throw new Error(`${sourceId} was changed but is not deleted`);
  return { status: 'deleted', source: { ...source, deleted: source.deleted } };
}

/** A repeat keeps the time. It may still ask to delete what was kept. */
function nextDeletion(
  before: DeletedSource | undefined,
  events: DeletedEvents,
  nowMs: number,
): DeletedSource {
  return { at: before?.at ?? nowMs, events: before?.events === 'delete' ? 'delete' : events };
}

/** The deletion of a source as read before it, with its audit entry. */
export function auditedDeletion(
  deps: DeleteSourceDeps,
  { source_id, name, kind, deleted }: Source,
  events: DeletedEvents,
): AuditedChange<SourceDeleted> {
  const target = { id: source_id, name };
  const next = nextDeletion(deleted, events, deps.now());
  return {
    intent: deletedDeed(target, { kind, deleted: next }),
    work: () => deleteSource({ ...deps, now: () => next.at }, source_id, events),
    deed: (result) => (result.status === 'deleted' ? deletedDeed(target, result.source) : undefined),
  };
}

/**
 * The audited change. All retries share one entry. A later wish to delete what was kept has its own entry, with its own author
 * and time.
 */
function deletedDeed(
  target: Deed['target'],
  { kind, deleted: { at, events } }: { readonly kind?: Source['kind']; readonly deleted: DeletedSource },
): Deed {
  const contents = kind === 'channel' ? 'conversations' : 'events';
  const detail = `its ${contents} are ${events === 'keep' ? 'kept' : 'deleted'}`;
  return { action: `${kind ?? 'source'}.deleted`, target, detail, ongoing: `${at} ${events}` };
}
