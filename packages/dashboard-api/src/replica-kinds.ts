/** The kinds of processes that report themselves. Apart from the schemas, so that the dashboard loads none. */
export const REPLICA_KINDS = ['ingress', 'worker', 'dispatcher', 'api'] as const;
export type ReplicaKind = (typeof REPLICA_KINDS)[number];
