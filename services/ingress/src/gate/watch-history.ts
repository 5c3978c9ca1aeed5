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
