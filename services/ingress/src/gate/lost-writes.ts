export interface LostWrites {
  /** Groups of actions that Redis had confirmed and no longer knows, at least. Some may have been applied before. */
  readonly groups: number;
  /** When the last of them was confirmed. Milliseconds since the Unix epoch. */
  readonly lastConfirmedMs: number;
}

/** The newest group of actions that Redis and its replicas have confirmed to this process. */
export interface Confirmed {
  /** The id of its job; 0: there was none. */
  job: number;
  /** Milliseconds since the Unix epoch. */
  atMs: number;
}

/**
 * Notices that Redis has fewer groups than it confirmed: it came back empty, or with an older copy. Call it before Redis is
 * asked for its newest group, and pass that to the function that it returns. Later groups may be newer than the answer.
 */
export function watchLostWrites(
  confirmed: Confirmed,
  onLost: (lost: LostWrites) => void,
): () => (newest: number) => void {
  return () => {
    const { job, atMs } = confirmed;
    return (newest) => {
      if (newest >= job) return;
      confirmed.job = newest;
      onLost({ groups: job - newest, lastConfirmedMs: atMs });
    };
  };
}

/**
 * Notices that the data of Redis has another history, even if the connection stayed open and no request came meanwhile: a master was
 * demoted, loaded the older data of its replica, and was promoted again. Each look gives the replication id.
 */
export function watchHistory(onChange: () => void): { saw(replicationId: string): void } {
  let known: string | undefined;
  return {
    saw(replicationId) {
      if (known !== undefined && replicationId !== known) onChange();
      known = replicationId;
    },
  };
}
