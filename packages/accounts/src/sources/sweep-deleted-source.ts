import { hash } from 'node:crypto';
import type { EnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import type { WantedAction } from '@sluice/admission/enqueue/wanted-action';
import { DAY_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import type { DeletedConversations } from '@sluice/store/conversations/deleted-conversations';
import type { Events } from '@sluice/store/events/events';
import { addressOf, type ListedEvent } from '@sluice/store/events/listed-event';
import type { ImportTurns } from '@sluice/store/imports/import-turns';
import type { ImportedUids } from '@sluice/store/imports/imported-uids';
import type { DeletedSources } from '@sluice/store/sources/deleted-sources';
import type { DeletedEvents, DeletedSource, Source } from '@sluice/store/sources/source';

export interface SweepDeletedDeps {
  readonly deletedSources: DeletedSources;
  readonly events: Pick<Events, 'listEvents'>;
  readonly importedUids: Pick<ImportedUids, 'forgetSource'>;
  readonly importTurns: Pick<ImportTurns, 'forgetTurn'>;
  readonly deletedConversations: Pick<
    DeletedConversations,
    'removeConversations' | 'failReplies' | 'forgetRemoved'
  >;
  readonly enqueueActions: EnqueueActions;
  /** Removes the texts of messages to subscriptions about these conversations, and ends those that wait. */
  readonly eraseMessages: (accountId: string, conversationIds: readonly string[]) => Promise<void>;
  /** Removes the reply URL of a deleted channel from Redis, which the process that deleted it may not have done. */
  readonly publishReply: (channel: Source) => Promise<void>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The source is being changed, or the queue is full. */
const SOON_MS = 5_000;
/** Requests that were accepted before the deletion may wait for as long as MongoDB or the workers are away. */
const LAST_SWEEP_MS = 30 * DAY_MS;
/** Events of one job. */
const GROUP = 500;

const DELETED = 'The channel was deleted before this reply was delivered.';

/** A sweep that takes longer may be repeated by another process at the same time, which is safe. */
const CLAIM_MS = MINUTE_MS;

/**
 * Removes what one deleted source left behind: its events or conversations if that is wanted, its remembered UIDs
 * with the turn of its imports, and its reply URL. Returns whether a source was due. Accepted requests may still be waiting, so each source is swept again, after
 * twice the time since its deletion. A sweep that fails, or whose process dies, is repeated within a minute, also the last one.
 */
export async function sweepDeletedSource(deps: SweepDeletedDeps): Promise<boolean> {
  const { deletedSources, now } = deps;
  const until = now() + CLAIM_MS;
  const source = await deletedSources.claimDue(now(), until);
  if (source?.deleted === undefined) return false;
  const next = nextSweep(source, now());
  const { source_id: sourceId, deleted } = source;
  const isDone =
    source.kind === 'channel'
      ? await sweepChannel(deps, source, { deleted, isLast: next === null })
      : await sweepSource(deps, sourceId, deleted.events);
  await deletedSources.endClaim({ sourceId, until }, isDone ? next : now() + SOON_MS);
  return true;
}

/** Returns whether all deletions were admitted. */
async function sweepSource(
  deps: SweepDeletedDeps,
  sourceId: string,
  events: DeletedEvents,
): Promise<boolean> {
  await deps.importedUids.forgetSource(sourceId);
  await deps.importTurns.forgetTurn(sourceId);
  return events === 'keep' || deleteEvents(deps, sourceId);
}

async function sweepChannel(
  { deletedConversations, publishReply, eraseMessages, now }: SweepDeletedDeps,
  channel: Source,
  { deleted, isLast }: { readonly deleted: DeletedSource; readonly isLast: boolean },
): Promise<true> {
  await publishReply(channel);
  // The result of the last attempt may be stored a little after it.
  const isSettled = now() - deleted.at >= MINUTE_MS;
  if (deleted.events === 'delete')
    await deletedConversations.removeConversations(channel, (ids) => eraseMessages(channel.account_id, ids));
  else if (isSettled) await deletedConversations.failReplies(channel, DELETED);
  if (isLast) await deletedConversations.forgetRemoved(channel.source_id);
  return true;
}

/** Null: this is the last one. */
function nextSweep({ deleted }: Source, nowMs: number): number | null {
  const since = nowMs - (deleted?.at ?? nowMs);
  return since >= LAST_SWEEP_MS ? null : nowMs + Math.max(MINUTE_MS, since);
}

/** Enqueues a delete for each event. Returns whether all of them were admitted. */
async function deleteEvents(
  { events, enqueueActions }: SweepDeletedDeps,
  sourceId: string,
): Promise<boolean> {
  const areAdmitted = async (group: readonly WantedAction[]) => {
    if (group.length === 0) return true;
    const results = await enqueueActions(sourceId, group);
    return results.every(({ outcome }) => outcome === 'enqueued');
  };
  let group: WantedAction[] = [];
  for await (const event of events.listEvents({ source_id: sourceId })) {
    group.push(deletion(event));
    if (group.length < GROUP) continue;
    if (!(await areAdmitted(group))) return false;
    group = [];
  }
  return areAdmitted(group);
}

function deletion(event: ListedEvent): WantedAction {
  const swept = hash('sha256', event.event_id, 'hex').slice(0, 16);
  return { action: { kind: 'delete', ...addressOf(event) }, swept };
}
