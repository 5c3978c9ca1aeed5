import type { MailboxPort, PublishedChange } from './ports.ts';

export interface ForgetLaterDeps {
  readonly mailboxes: Pick<MailboxPort, 'forget'>;
  /** How long mailboxes remember a change after it was cleared. Milliseconds. */
  readonly afterMs?: number;
  /** Changes that wait. Beyond that the oldest are forgotten early. */
  readonly mostWaiting?: number;
}

export interface ForgetLater {
  add(accountId: string, published: readonly PublishedChange[]): void;
  /** Forgets everything at once, for a process that ends. Never rejects. */
  close(): Promise<void>;
}

/**
 * A process that read a record before its changes were cleared tells them once more. It does so within this time, unless it
 * is frozen.
 */
const AFTER_MS = 10_000;
const MOST_WAITING = 100_000;
/** The share of the waiting changes that is forgotten early at once, so that few calls are needed. */
const EARLY_SHARE = 0.1;
/** Changes of one call. */
const STEP = 500;

interface Added {
  readonly accountId: string;
  readonly published: readonly PublishedChange[];
  /** An instant of performance.now(). */
  readonly at: number;
}

/** Lets mailboxes forget changes some time after they were cleared. A mailbox takes a change once until then. */
export function createForgetLater({
  mailboxes,
  afterMs = AFTER_MS,
  mostWaiting = MOST_WAITING,
}: ForgetLaterDeps): ForgetLater {
  /** In the order of their times. */
  let added: Added[] = [];
  let waiting = 0;
  let running: Promise<void> = Promise.resolve();

  async function forget(changes: ReadonlyMap<string, readonly PublishedChange[]>): Promise<void> {
    for (const [accountId, published] of changes) {
      for (let from = 0; from < published.length; from += STEP) {
        // A mailbox that remembers a change for longer only needs more memory.
        await mailboxes.forget(accountId, published.slice(from, from + STEP)).catch(() => undefined);
      }
    }
  }

  /** Forgets the first of them. */
  function forgetFirst(count: number): void {
    if (count === 0) return;
    const due = new Map<string, PublishedChange[]>();
    for (const { accountId, published } of added.slice(0, count)) {
      waiting -= published.length;
      const list = due.get(accountId) ?? [];
      for (const one of published) list.push(one);
      due.set(accountId, list);
    }
    added = added.slice(count);
    running = running.then(() => forget(due));
  }

  /** How many of the first have so many changes together. */
  function countOf(changes: number): number {
    let [count, left] = [0, changes];
    for (; left > 0 && count < added.length; count++) left -= (added[count] as Added).published.length;
    return count;
  }

  function forgetDue(): void {
    const before = performance.now() - afterMs;
    const young = added.findIndex(({ at }) => at > before);
    forgetFirst(young < 0 ? added.length : young);
  }

  const timer = setInterval(forgetDue, afterMs).unref();
  return {
    add(accountId, published) {
      if (published.length === 0) return;
      added.push({ accountId, published, at: performance.now() });
      waiting += published.length;
      if (waiting > mostWaiting) forgetFirst(countOf(waiting - mostWaiting * (1 - EARLY_SHARE)));
    },
    async close() {
      clearInterval(timer);
      forgetFirst(added.length);
      await running;
    },
  };
}
