import { isDeepStrictEqual } from 'node:util';
import type { EarlierEvents, Subscription } from '@sluice/store/subscriptions/subscription-document';
import { askedUntil } from '../log/wants.ts';
import type { EditDeps } from './deps.ts';
import { deadSince } from './life.ts';

/** Edits that changes from before may still wait for. Beyond it the oldest goes: its changes are judged as those after it. */
const MOST_EARLIER = 20;

/**
 * The state after an edit, as it is to be stored. Call it under a fence: then nobody appends to the log, and the edit holds from the next
 * number on. Throws if MongoDB fails.
 */
export async function nextVersion(
  { outboundChanges, webhookCursors, now }: Pick<EditDeps, 'outboundChanges' | 'webhookCursors' | 'now'>,
  before: Subscription,
  after: Subscription,
): Promise<Subscription> {
  const version = before.version + 1;
  const { earlier: _, fresh_from = before.fresh_from, ...rest } = after;
  const own = { ...rest, version };
  const fresh = isNewStart(before, after) ? version : fresh_from;
  const kept = { ...own, ...(fresh !== undefined && { fresh_from: fresh }) };
  const asksForSame = isDeepStrictEqual([before.events, before.filter], [after.events, after.filter]);
  const dead = deadSince(after, now()) === undefined ? deadSince(before, now()) : undefined;
  if (asksForSame && dead === undefined)
    return { ...kept, ...(before.earlier !== undefined && { earlier: before.earlier }) };
  const { account_id, subscription_id: id } = before;
  const cursor = (await webhookCursors.findCursors([id])).get(id);
  const passed = Math.max(cursor?.number ?? 0, cursor?.passed ?? 0);
  const last = await outboundChanges.lastNumber(account_id);
  const collected = dead === undefined || dead * 1000 >= last ? before : askedUntil(before, dead * 1000);
  const earlier = earlierAfter(collected, last, passed);
  return earlier.length > 0 ? { ...kept, earlier } : kept;
}

/** Pure. What was asked for up to `last`, without what the cursor has passed. */
export function earlierAfter(
  { earlier = [], events, filter }: Pick<Subscription, 'earlier' | 'events' | 'filter'>,
  last: number,
  passed: number,
): readonly EarlierEvents[] {
  const isKnown = earlier.some(({ to }) => to >= last);
  const all = isKnown ? earlier : [...earlier, { to: last, events, filter }];
  return all.filter(({ to }) => to > passed).slice(-MOST_EARLIER);
}

/** Whether a person or program has given the receiver a new start: another URL, or the end of a pause or of a deletion. */
function isNewStart(before: Subscription, after: Subscription): boolean {
  return before.target_url !== after.target_url || (isPaused(before) && !isPaused(after));
}

function isPaused({ paused, deleted_at }: Subscription): boolean {
  return paused !== undefined || deleted_at !== undefined;
}
