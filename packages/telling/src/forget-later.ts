import type { MailboxPort, ToldChange } from './ports.ts';

export interface ForgetLaterDeps {
  readonly mailboxes: Pick<MailboxPort, 'forget'>;
  /** How long mailboxes remember a change after it was cleared. Milliseconds. */
  readonly afterMs?: number;
}

export interface ForgetLater {
  add(accountId: string, told: readonly ToldChange[]): void;
  /** Forgets everything at once, for a process that ends. Never rejects. */
  close(): Promise<void>;
}

/**
 * A process that read a record before its changes were cleared tells them once more. It does so within this time, unless it
 * is frozen.
 */
const AFTER_MS = 10_000;
/** Changes that wait. Beyond that the oldest are forgotten early. */
const MOST_WAITING = 100_000;
/** Changes of one call. */
const STEP = 500;

/** Lets mailboxes forget changes some time after they were cleared. A mailbox takes a change once until then. */
export function createForgetLater({ mailboxes, afterMs = AFTER_MS }: ForgetLaterDeps): ForgetLater {
  let young = new Map<string, ToldChange[]>();
  let old = new Map<string, ToldChange[]>();
  let waiting = 0;
  let running: Promise<void> = Promise.resolve();

  async function forget(changes: ReadonlyMap<string, readonly ToldChange[]>): Promise<void> {
    for (const [accountId, told] of changes) {
      for (let from = 0; from < told.length; from += STEP) {
        // A mailbox that remembers a change for longer only needs more memory.
        await mailboxes.forget(accountId, told.slice(from, from + STEP)).catch(() => undefined);
      }
    }
  }

  /** Two generations: a change is forgotten after one to two intervals. */
  function age(): void {
    const due = old;
    [old, young] = [young, new Map()];
    for (const changes of due.values()) waiting -= changes.length;
    if (due.size > 0) running = running.then(() => forget(due));
  }

  const timer = setInterval(age, afterMs).unref();
  return {
    add(accountId, told) {
      if (told.length === 0) return;
      const list = young.get(accountId);
      if (list === undefined) young.set(accountId, [...told]);
      else list.push(...told);
      waiting += told.length;
      if (waiting > MOST_WAITING) age();
    },
    async close() {
      clearInterval(timer);
      age();
      age();
      await running;
    },
  };
}
