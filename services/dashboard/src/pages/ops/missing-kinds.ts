import type { Ops } from '@sluice/dashboard-api/ops';
import { REPLICA_KINDS, type ReplicaKind } from '@sluice/dashboard-api/replica-kinds';

/** A kind of process that nothing has reported for a minute. */
export interface MissingKind {
  readonly kind: ReplicaKind;
  /** Whether the other figures show that its work is not done. */
  readonly isSure: boolean;
  /** Says in a sentence what it means. */
  readonly meaning: string;
}

/**
 * The kinds without a process. A killed process is listed as gone for a minute, then it is forgotten. Without this list, everything
 * would look well again.
 */
export function missingKinds({
  replicas,
  undispatched,
}: Pick<Ops, 'replicas' | 'undispatched'>): MissingKind[] {
  const present = new Set(replicas.map(({ kind }) => kind));
  return REPLICA_KINDS.filter((kind) => !present.has(kind)).map((kind) => describe(kind, undispatched));
}

/** `undispatched` is undefined if the API server is of an earlier version. */
function describe(kind: ReplicaKind, undispatched: boolean | undefined): MissingKind {
  switch (kind) {
    case 'ingress':
      return { kind, isSure: true, meaning: 'Senders get no response until one starts.' };
    case 'worker':
      return { kind, isSure: true, meaning: 'Accepted requests wait until one starts.' };
    case 'dispatcher':
      return { kind, isSure: undispatched === true, meaning: withoutDispatcher(undispatched) };
    case 'api':
      return { kind, isSure: false, meaning: 'This page comes from one, so it cannot write to Redis.' };
  }
}

function withoutDispatcher(undispatched: boolean | undefined): string {
  if (undispatched === undefined) return 'Messages may wait until one starts.';
  return undispatched
    ? 'Messages to receivers wait until one starts.'
    : 'No message is overdue. Dispatchers of earlier versions work without reporting.';
}
