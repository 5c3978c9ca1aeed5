import { type Ops, REPLICA_KINDS, type ReplicaKind } from '@sluice/dashboard-api/ops';

/** A kind of process that nothing has reported for a minute. */
export interface MissingKind {
  readonly kind: ReplicaKind;
  /** Whether the other figures show that its work is not done. */
  readonly isSure: boolean;
  /** Says in a sentence what it means. */
  readonly meaning: string;
}

/** Dispatchers take what is due within milliseconds, and after a kill within 10 s. */
const OVERDUE_MS = 30_000;

/**
 * The kinds without a process. A killed process is listed as gone for a minute, then it is forgotten. Without this list, everything
 * would look well again.
 */
export function missingKinds({ replicas, mailboxes }: Pick<Ops, 'replicas' | 'mailboxes'>): MissingKind[] {
  const present = new Set(replicas.map(({ kind }) => kind));
  return REPLICA_KINDS.filter((kind) => !present.has(kind)).map((kind) => describe(kind, mailboxes));
}

function describe(kind: ReplicaKind, mailboxes: Ops['mailboxes']): MissingKind {
  switch (kind) {
    case 'ingress':
      return { kind, isSure: true, meaning: 'Senders get no response until one starts.' };
    case 'worker':
      return { kind, isSure: true, meaning: 'Accepted requests wait until one starts.' };
    case 'dispatcher': {
      const isSure = (mailboxes?.oldest_due_ms ?? 0) >= OVERDUE_MS;
      const meaning = isSure
        ? 'Messages to receivers wait until one starts.'
        : 'No message is overdue. Dispatchers of earlier versions work without reporting.';
      return { kind, isSure, meaning };
    }
    case 'api':
      return { kind, isSure: false, meaning: 'This page comes from one, so it cannot write to Redis.' };
  }
}
