import { DAY_MS } from '@sluice/contract/time/durations';

/**
 * How long a fence lasts if its change is never published. It is longer than a MongoDB write (its timeouts add up to 10 s),
 * so that a late write still finds the fence.
 */
export const FENCE_MS = 15_000;

/** Entries that a mailbox keeps in Redis for their first attempt, and one that is probed. The rest waits in MongoDB. */
export const KEPT_ENTRIES = { usual: 10_000, probed: 500 };

/** The number of entries that move to MongoDB together, so that a push mostly needs no write. */
export const SPILLED_AT = 200;

/**
 * Redis is tight once it uses more than this share of its maxmemory. Mailboxes use a part of it, so together they use no larger share.
 * Then new entries go over earlier, move in smaller numbers, and their texts stay in MongoDB.
 */
export const TIGHT = { share: 0.25, kept: 100, spilledAt: 20 };

/** How long a look at the memory of Redis counts. Milliseconds. */
export const TIGHT_LOOK_MS = 1_000;

/** The maximum number of entries of one move between Redis and MongoDB. */
export const MOVED_AT_ONCE = 1_000;

/**
 * How long rows stay in MongoDB after their entries have come back to Redis. A Redis that restarts or a replica that takes over may not
 * know that they have come back, and reads them again. A replica that was cut off for longer does not take over: by default a
 * Redis Cluster allows 160 s, and Sentinel about 300 s. Milliseconds.
 */
export const LOADED_ROWS_MS = 600_000;

/** In an ordered mailbox: with so many entries behind earlier ones of their records, none is read from MongoDB. */
export const HELD_AT_MOST = 10_000;

/** With so many entries waiting for their retry, no further ones have their first attempt. So they cannot fill Redis. */
export const RETRIES_AT_MOST = 10_000;

/**
 * The most text of a mailbox's `dropped` (mailbox.lua.ts): about 1,300 messages of 50 bytes. Scripts read all of it at each load.
 * Beyond it the oldest are forgotten, and are delivered a second time when they come back from MongoDB.
 */
export const DROPPED_TEXT = 64 * 1024;

/** More entries than a mailbox gets while Redis can still lose them. Numbers have 12 digits, so a million runs of Redis fit. */
export const LOST_NUMBERS = 1_000_000;

/** A turn that no script has renewed for this long is lost. */
export const TURN_MS = 10_000;

/** How often the time of Redis is noted at most, because each note is a write. It is less than TURN_MS. Milliseconds. */
export const CLOCK_NOTED_MS = 5_000;

/** A correction of Redis's clock by less than this moves no waits, because that reads all mailboxes with a due time. Milliseconds. */
export const CLOCK_STEP_MS = 1_000;

/** A mailbox that cannot be read is tried again after this. Milliseconds. */
export const UNREADABLE_MS = 10_000;

/** Attempts may begin for this long after a script has looked at the subscription. */
export const LEASE_MS = 1_000;

/** How long the text of a change stays in Redis. Later attempts read it from MongoDB. */
export const TEXT_MS = 600_000;

/**
 * The most text that a claim or a settlement returns, in bytes, and that a turn keeps, in UTF-16 units. A message may have 1 MiB. The texts
 * beyond it are read from MongoDB when they are attempted.
 */
export const TAKEN_TEXT = { script: 8 * 1024 * 1024, turn: 2 * 1024 * 1024 };

/** The maximum numbers of turns, and of their entries, that one script settles. It blocks Redis meanwhile. */
export const SETTLED_AT_ONCE = { turns: 64, entries: 1_000 };

/**
 * A script that lets mailboxes forget changes also looks through the old ids of so many mailboxes, about 100 ids of each. It blocks Redis
 * meanwhile.
 */
export const OLD_IDS_LOOKS = 20;

/** The maximum number of entries of one push script. */
export const PUSHED_AT_ONCE = 1_000;

/** The maximum size of the texts of one push script, in UTF-16 units. The script blocks Redis while it stores them. */
export const PUSHED_TEXT = 1024 * 1024;

/**
 * How long pushed changes are remembered if `forget` is never called: after the last push, or up to twice as long in a mailbox that
 * goes on getting changes (push.lua.ts). Milliseconds.
 */
export const REMEMBERED_MS = DAY_MS;
