import type { MacKeys } from '@sluice/credentials/mac';

/** The place of a list's last item: what it is sorted by, and its id. */
export type Place = readonly (string | number)[];

/** The owner of a cursor. Every other list, filter, order and account rejects it. */
export interface CursorOwner {
  readonly accountId: string;
  /** The operation id of the list. */
  readonly list: string;
  /** The order and filters of the list, and the ids in its path. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** The point at which a list continues. */
export interface Continuation {
  readonly place: Place;
  /** All writes that began before have ended when the first page was read. Milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

/** Encodes a place as opaque text that only this list of this account accepts. */
export function signCursor(mac: MacKeys, owner: CursorOwner, { place, startedAt }: Continuation): string {
  const text = Buffer.from(JSON.stringify([startedAt, ...place])).toString('base64url');
  return `${text}.${mac.sign('cursor', signedText(owner, text))}`;
}

/** Decodes a cursor; undefined if it was changed, or belongs to another list, order, filter or account. */
export function readCursor(mac: MacKeys, owner: CursorOwner, cursor: string): Continuation | undefined {
  const [text = ''] = cursor.split('.', 1);
  if (!mac.fits('cursor', signedText(owner, text), cursor.slice(text.length + 1))) return undefined;
  // The code proves that signCursor made the text.
  const [startedAt, ...place] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  return { place, startedAt };
}

function signedText({ accountId, list, filters }: CursorOwner, text: string): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify([accountId, list, named.sort(([a], [b]) => (a < b ? -1 : 1)), text]);
}
