import type { mongo } from 'mongoose';
import { CHANGE_WRITE, CHANGED_NOW } from '../changed-since.ts';
import type { ConversationDocument } from '../conversations/conversation-document.ts';

/** The parts of a conversation that a visitor or an agent has written, each with the sequence number that set it. */
const WRITTEN = ['contact', 'session', 'subject', 'last_message'] as const;

/** The last sequence number of a time (ms since the Unix epoch). */
export function lastSequence(at: number): number {
  return at * 1000 + 999;
}

/**
 * Removes what was written up to a sequence number, and notes it, so that the fold leaves out such actions from now on.
 * Returns false if another writer was first.
 */
export async function eraseContent(
  collection: mongo.Collection<ConversationDocument>,
  _id: string,
  until: number,
): Promise<boolean> {
  const found = await collection.findOne({ _id });
  if (found === null) return true;
  const { revision, untold = [] } = found;
  const gone = WRITTEN.filter((part) => (found[part]?.sequence ?? Number.POSITIVE_INFINITY) <= until);
  const later = untold.filter(({ at }) => lastSequence(at) > until);
  const update = {
    $unset: {
      ...Object.fromEntries(gone.map((part) => [part, 1])),
      ...(gone.includes('contact') && { unlinked_keys: 1, link_due_at: 1 }),
      ...(later.length === 0 && { untold: 1, untold_at: 1 }),
    },
    $set: {
      erased_sequence: Math.max(until, found.erased_sequence ?? 0),
      ...(later.length > 0 && { untold: later }),
    },
    $inc: { revision: 1 },
    ...CHANGED_NOW,
  } as mongo.UpdateFilter<ConversationDocument>;
  return (await collection.updateOne({ _id, revision }, update, CHANGE_WRITE)).matchedCount === 1;
}
