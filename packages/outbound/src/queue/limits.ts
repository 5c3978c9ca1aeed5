/**
 * How long a fence lasts if its change is never published. It is longer than a MongoDB write (its timeouts add up to 10 s),
 * so that a late write still finds the fence.
 */
export const FENCE_MS = 15_000;

/**
 * Redis is tight once it uses more than this share of its maxmemory. Streams use a part of it, so together they use no larger share.
 */
export const TIGHT_SHARE = 0.25;

/** A turn that no script has renewed for this long is lost. */
export const TURN_MS = 10_000;

/** Attempts may begin for this long after a script has looked at the subscription. */
export const LEASE_MS = 1_000;

/** How long a test is of use. Milliseconds. */
export const TEXT_MS = 600_000;

/** The most text that a turn keeps, in UTF-16 units. A message may have 1 MiB. The texts beyond it are read again when they are attempted. */
export const TAKEN_TEXT = 2 * 1024 * 1024;

/** The maximum number of turns that one script settles. It blocks Redis meanwhile. */
export const SETTLED_AT_ONCE = 64;

/** The blocking pop of a wake-up never outlasts this, so that a wake-up that died with its receiver costs at most as much. */
export const LONGEST_WAIT_MS = 1_000;
