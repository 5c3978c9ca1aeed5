import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { partOfEntry, startOfEntry, TEST_KIND } from './entry.ts';
import { PUSHED_AT_ONCE, PUSHED_TEXT, REMEMBERED_MS, TEXT_MS } from './limits.ts';
import type { Overflow } from './overflow.ts';
import { FORGET, PUSH, PUSH_RECOVERED, PUSH_REDELIVERY, PUSH_TEST } from './push.lua.ts';
import type { StopReason } from './turn.ts';

/** A change for the mailboxes of those who asked for it. */
export interface PushedChange {
  readonly changeId: string;
  /** The message after its id (contract/message/outbound-text.ts). */
  readonly text: string;
  readonly kind: string;
  readonly recordId: string;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly to: readonly { readonly subscriptionId: string; readonly messageId: string }[];
}

export type Pushed =
  | { readonly status: 'pushed' }
  /** The list of subscriptions has changed. Ask the directory for its version, read the list and push again. */
  | { readonly status: 'stale' }
  | { readonly status: 'fenced'; readonly waitMs: number };

/** A change that these subscriptions need not remember any more. */
export interface ForgottenChange {
  readonly changeId: string;
  readonly to: readonly string[];
}

/** An entry to send once more. */
export type AgainEntry = Pick<PushedChange, 'changeId' | 'kind' | 'recordId'> & {
  readonly messageId: string;
};

/** A recovered change. `number`: in the log of its account (outbound-changes.ts). `at`: milliseconds since the Unix epoch. */
export type RecoveredEntry = AgainEntry & { readonly number?: number | undefined; readonly at: number };

export interface Push {
  /**
   * Puts changes of one account into mailboxes, in the given order, with one script for each PUSHED_AT_ONCE entries or
   * PUSHED_TEXT. A change that a mailbox remembers is not put there again, so a call that failed half way can be repeated.
   */
  push(accountId: string, version: string, changes: Iterable<PushedChange>): Promise<Pushed>;
  /** Call it once changes are cleared from their records. Mailboxes then no longer remember them. */
  forget(accountId: string, changes: readonly ForgottenChange[]): Promise<void>;
  /**
   * Sends messages once more, in the given order, after all that waits. It ignores what mailboxes remember. `absent`: the
   * subscription has no mailbox in this run of Redis. Publish the account again, then repeat it.
   */
  pushRecovered(
    accountId: string,
    subscriptionId: string,
    entries: readonly RecoveredEntry[],
  ): Promise<'pushed' | 'absent'>;
  /**
   * Sends one message once more, before all that waits, even if the receiver is probed or has asked for a pause. It has one
   * attempt. If that succeeds, the same message is dropped where it waits too.
   */
  pushRedelivery(accountId: string, subscriptionId: string, entry: AgainEntry): Promise<PushedRedelivery>;
  /**
   * Sends a test before all other messages, even if the receiver is probed or has asked for a pause. The kind is `webhook.test`. Its
   * text is kept for TEXT_MS. Nothing is pushed if the subscription may not be delivered to.
   */
  pushTest(
    accountId: string,
    subscriptionId: string,
    test: Omit<AgainEntry, 'kind'> & { readonly text: string },
  ): Promise<PushedTest>;
}

export type PushedRedelivery =
  | 'pushed'
  /** Its subscription is ordered, and it waits for earlier messages about its record. It is sent after them. */
  | 'in_order'
  /** The subscription has no mailbox in this run of Redis: publish the account again, then repeat it. */
  | 'absent';

export type PushedTest =
  | { readonly status: 'pushed' }
  /** `ended`: the time of its key or of an ephemeral subscription is over. `unpublished`: publish the account again, then repeat it. */
  | { readonly status: 'stopped'; readonly why: PushedStop };

interface PushCommands {
  sluicePush(list: string, ...args: (string | number)[]): Promise<[string, number?, string[]?]>;
  sluicePushRecovered(mailbox: string, ...args: (string | number)[]): Promise<'pushed' | 'absent'>;
  sluicePushRedelivery(mailbox: string, ...args: (string | number)[]): Promise<PushedRedelivery | 'unknown'>;
  sluicePushTest(mailbox: string, ...args: (string | number)[]): Promise<string>;
  sluiceForget(list: string, ...args: (string | number)[]): Promise<number>;
}

export function createPush({
  redis,
  shards,
  overflow,
}: {
  redis: Redis;
  shards: Shards;
  overflow?: Overflow | undefined;
}): Push {
  const { usual = 0, probed = 0, spilledAt = 0 } = overflow?.limits ?? {};
  const commands = withScripts<PushCommands>(redis, {
    sluicePush: PUSH,
    sluicePushRecovered: PUSH_RECOVERED,
    sluicePushRedelivery: PUSH_REDELIVERY,
    sluicePushTest: PUSH_TEST,
    sluiceForget: FORGET,
  });
  return {
    async push(accountId, version, changes) {
      const keyspace = shards.of(accountId);
      const list = keyspace.subscriptions(accountId);
      for (const step of stepsOf(changes)) {
        const texts = step.flatMap(({ changeId, kind, recordId, text }) => [
          ...[changeId, kind, recordId].map(partOfEntry),
          text,
        ]);
        const limits = [TEXT_MS, REMEMBERED_MS, usual, probed, spilledAt];
        const args = [keyspace.prefix, version, ...limits, JSON.stringify(mailboxesOf(step))];
        const [status, waitMs = 0, spills = []] = await commands.sluicePush(list, ...args, ...texts);
        if (status === 'fenced') return { status, waitMs };
        if (status === 'stale') return { status };
        for (const id of spills) await overflow?.spill(accountId, id);
      }
      return { status: 'pushed' };
    },
    async forget(accountId, changes) {
      const keyspace = shards.of(accountId);
      for (const step of forgottenSteps(changes)) {
        const args = [keyspace.prefix, JSON.stringify([...step]), REMEMBERED_MS];
        await commands.sluiceForget(keyspace.subscriptions(accountId), ...args);
      }
    },
    async pushRecovered(accountId, subscriptionId, entries) {
      const { mailbox, prefix } = shards.of(accountId);
      for (let at = 0; at < entries.length; at += PUSHED_AT_ONCE) {
        const parts = entries.slice(at, at + PUSHED_AT_ONCE).flatMap(partsOf);
        const key = mailbox(subscriptionId);
        const pushed = await commands.sluicePushRecovered(
          ...([key, prefix, subscriptionId, usual, probed] as const),
          ...parts,
        );
        if (pushed === 'absent') return pushed;
      }
      await overflow?.spill(accountId, subscriptionId);
      return 'pushed';
    },
    async pushRedelivery(accountId, subscriptionId, entry) {
      const { mailbox, prefix } = shards.of(accountId);
      const args = [mailbox(subscriptionId), prefix, subscriptionId, ...partsOf(entry)] as const;
      const pushed = await commands.sluicePushRedelivery(...args, 0);
      if (pushed !== 'unknown') return pushed;
      if (await overflow?.contains(accountId, subscriptionId, entry.messageId)) return 'in_order';
      // If it has come back to Redis since, the script finds it there.
      return (await commands.sluicePushRedelivery(...args, 1)) as PushedRedelivery;
    },
    async pushTest(accountId, subscriptionId, { changeId, messageId, recordId, text }) {
      const { mailbox, prefix } = shards.of(accountId);
      const entry = [startOfEntry(changeId, messageId, TEST_KIND), partOfEntry(recordId)];
      const args = [prefix, subscriptionId, ...entry, changeId, text, TEXT_MS];
      const why = await commands.sluicePushTest(mailbox(subscriptionId), ...args);
      if (why === '') return { status: 'pushed' };
      return { status: 'stopped', why: why === 'ends' ? 'ended' : (why as PushedStop) };
    },
  };
}

function partsOf({ changeId, messageId, kind, recordId }: AgainEntry): [string, string] {
  return [startOfEntry(changeId, messageId, kind), partOfEntry(recordId)];
}

type PushedStop = Exclude<StopReason, 'changed'>;

/** Divides changes into steps of at most PUSHED_AT_ONCE entries and PUSHED_TEXT. A change with more entries is in several steps. */
export function* stepsOf(changes: Iterable<PushedChange>): Generator<readonly PushedChange[]> {
  let step: PushedChange[] = [];
  let [entries, text] = [0, 0];
  for (const change of changes) {
    for (let from = 0; from < change.to.length; ) {
      if (entries === PUSHED_AT_ONCE || (text > 0 && text + change.text.length > PUSHED_TEXT)) {
        yield step;
        [step, entries, text] = [[], 0, 0];
      }
      const to = change.to.slice(from, from + PUSHED_AT_ONCE - entries);
      step.push({ ...change, to });
      from += to.length;
      entries += to.length;
      text += change.text.length;
    }
  }
  if (step.length > 0) yield step;
}

/** The mailboxes that forget changes, in steps of at most PUSHED_AT_ONCE entries. A change with more entries is in several steps. */
function* forgottenSteps(changes: readonly ForgottenChange[]): Generator<ReadonlyMap<string, string[]>> {
  let step = new Map<string, string[]>();
  let entries = 0;
  for (const { changeId, to } of changes) {
    for (const id of to) {
      const ids = step.get(id);
      if (ids === undefined) step.set(id, [changeId]);
      else ids.push(changeId);
      entries += 1;
      if (entries < PUSHED_AT_ONCE) continue;
      yield step;
      [step, entries] = [new Map(), 0];
    }
  }
  if (entries > 0) yield step;
}

/** The mailboxes of a step: each with the index and message of every change for it. */
function mailboxesOf(step: readonly PushedChange[]): [string, (number | string)[]][] {
  const mailboxes = new Map<string, (number | string)[]>();
  for (const [index, { to }] of step.entries()) {
    for (const { subscriptionId, messageId } of to) {
      const asked = mailboxes.get(subscriptionId);
      if (asked === undefined) mailboxes.set(subscriptionId, [index, partOfEntry(messageId)]);
      else asked.push(index, partOfEntry(messageId));
    }
  }
  return [...mailboxes];
}
