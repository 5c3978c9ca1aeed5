import type { mongo } from 'mongoose';
import type { Write } from './api-writes.ts';

/** The comparison of all responses with the store. Each entry names a write or a record; right is an empty list. */
export interface WritesVerdict {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly contradicting: readonly string[];
}

interface Known {
  readonly leadsByName: ReadonlyMap<string, readonly string[]>;
  readonly leadsByEmail: ReadonlyMap<string, readonly string[]>;
  readonly movesByNote: ReadonlyMap<string, number>;
  readonly messagesByText: ReadonlyMap<string, readonly string[]>;
}

/** Compares the final responses of all writes with the database. */
export async function judgeWrites(db: mongo.Db, writes: readonly Write[]): Promise<WritesVerdict> {
  const known = await readAll(db);
  const verdict = { lost: [] as string[], doubled: [] as string[], contradicting: [] as string[] };
  const creators = new Map<string, number>();
  for (const write of writes) {
    const { kind, mark, final, about } = write;
    const name = `${kind} ${mark}`;
    if (kind === 'reply' && final?.body.code === 'handoff_not_active') {
      if (recordsOf(known, write).length > 0) verdict.contradicting.push(`${name}: rejected, and sent`);
      continue;
    }
    if (final === undefined || final.status >= 400) {
      verdict.contradicting.push(`${name}: ${JSON.stringify(final)}`);
      continue;
    }
    if (kind === 'move first' || kind === 'move again') {
      const moves = known.movesByNote.get(mark) ?? 0;
      if (moves > 1) verdict.doubled.push(name);
      if (moves === 0 && kind === 'move first') verdict.lost.push(name);
      continue;
    }
    if (kind === 'match' && final.body.created === true) creators.set(about, (creators.get(about) ?? 0) + 1);
    const found = recordsOf(known, write);
    if (found.length === 0) verdict.lost.push(name);
    else if (found.length > 1) verdict.doubled.push(name);
    else if (found[0] !== final.body.id) verdict.contradicting.push(`${name}: another id`);
  }
  for (const email of known.leadsByEmail.keys())
    if (creators.get(email) !== 1)
      verdict.contradicting.push(`${email}: created ${creators.get(email)} times`);
  return verdict;
}

function recordsOf(known: Known, { kind, mark, about }: Write): readonly string[] {
  if (kind === 'reply') return known.messagesByText.get(mark) ?? [];
  return (kind === 'create' ? known.leadsByName.get(mark) : known.leadsByEmail.get(about)) ?? [];
}

async function readAll(db: mongo.Db): Promise<Known> {
  const leads = await db.collection('leads').find().toArray();
  const history = await db.collection('lead_history').find().toArray();
  const messages = await db.collection('conversation_messages').find().toArray();
  // A change is in the history, still with its lead, or in both while it is being published.
  const moves = new Map<string, string>();
  const add = (leadId: string, { sequence, rest }: mongo.Document) => {
    const { note } = JSON.parse(rest) as { note?: string };
    if (note !== undefined) moves.set(`${leadId} ${sequence}`, note);
  };
  for (const { _id, untold = [] } of leads) for (const change of untold) add(String(_id), change);
  for (const row of history) add(row.lead_id, row);
  const movesByNote = new Map<string, number>();
  for (const note of moves.values()) movesByNote.set(note, (movesByNote.get(note) ?? 0) + 1);
  return {
    leadsByName: grouped(leads, ({ name }) => name),
    leadsByEmail: grouped(leads, ({ email }) => email),
    movesByNote,
    messagesByText: grouped(messages, ({ text }) => text),
  };
}

function grouped(
  documents: readonly mongo.Document[],
  by: (document: mongo.Document) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const document of documents) {
    const key = by(document);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), String(document._id)]);
  }
  return groups;
}
