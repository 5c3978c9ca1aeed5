import type { mongo } from 'mongoose';
import { fromDocument } from './lead-conversion.ts';
import type { Lead, LeadDocument } from './lead-document.ts';

type Leads = mongo.Collection<LeadDocument>;

/** The oldest lead of the account that has one of these words. */
export async function findOldest(
  collection: Leads,
  account_id: string,
  words: readonly string[],
): Promise<Lead | undefined> {
  const options = { sort: { created_at: 1, _id: 1 } } as const;
  const found = await Promise.all(
    words.map((word) => collection.findOne({ account_id, words: word }, options)),
  );
  const oldest = found.filter((document) => document !== null).sort(byAge)[0];
  return oldest && fromDocument(oldest);
}

/** Leads with one word that one command may find, beside one for each word. Nearly always there is one or none. */
const SPARE = 20;

/** `findOldest` for many lists of words, in one round trip. Words that many leads have are looked up one by one. */
export async function findOldestOfEach(
  collection: Leads,
  account_id: string,
  lists: readonly (readonly string[])[],
): Promise<readonly (Lead | undefined)[]> {
  const words = new Set(lists.flat());
  const limit = words.size + SPARE;
  const found = await collection.find({ account_id, words: { $in: [...words] } }, { limit }).toArray();
  if (found.length === limit)
    return Promise.all(lists.map((list) => findOldest(collection, account_id, list)));
  const oldest = new Map<string, LeadDocument>();
  for (const document of found.sort(byAge))
    for (const word of document.words ?? [])
      if (words.has(word) && !oldest.has(word)) oldest.set(word, document);
  return lists.map((list) => {
    const [first] = list.flatMap((word) => oldest.get(word) ?? []).sort(byAge);
    return first && fromDocument(first);
  });
}

function byAge(a: LeadDocument, b: LeadDocument): number {
  return (a.created_at?.getTime() ?? 0) - (b.created_at?.getTime() ?? 0) || (a._id < b._id ? -1 : 1);
}
