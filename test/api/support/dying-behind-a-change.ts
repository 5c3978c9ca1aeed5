import type { Store } from '@sluice/store/connect';

/**
 * Does work like a process that dies between a change and the end of its audit entry: no entry can be written or confirmed
 * any more.
 */
export async function dyingBehindAChange<T>(
  { auditLog }: Pick<Store, 'auditLog'>,
  work: () => PromiseLike<T>,
): Promise<T> {
  const { insertEntry, insertEntries, putEntry, confirmEntry } = auditLog;
  const die = () => Promise.reject(new Error('killed'));
  Object.assign(auditLog, { insertEntry: die, insertEntries: die, putEntry: die, confirmEntry: die });
  try {
    return await work();
  } finally {
    Object.assign(auditLog, { insertEntry, insertEntries, putEntry, confirmEntry });
  }
}
