import type { PendingChange } from '@sluice/contract/message/change';
import { fromStoredChange, type StoredChange, toStoredChange } from './stored-change.ts';

/** The bytes of lists as they were loaded. A list of megabytes would otherwise be encoded again for each action on its record. */
const loaded = new WeakMap<readonly PendingChange[], number>();
/** The bytes of shorter lists are rarely asked for. */
const NOTED_FROM = 4;

/** The changes of a document that are not published yet. */
export function fromStoredChanges(stored: readonly StoredChange[]): readonly PendingChange[] {
  const changes = stored.map(fromStoredChange);
  if (changes.length >= NOTED_FROM) loaded.set(changes, bytesOf(stored));
  return changes;
}

/** The bytes of changes in their document, without a few for each change. */
export function bytesOfChanges(changes: readonly PendingChange[]): number {
  return loaded.get(changes) ?? bytesOf(changes.map(toStoredChange));
}

function bytesOf(stored: readonly StoredChange[]): number {
  return stored.reduce((bytes, { rest }) => bytes + Buffer.byteLength(rest), 0);
}
