import type { KeptRequest } from '@sluice/contract/delivery';
import type { RequestTrace } from '../trace/request-trace.ts';
import type { KnownSource } from '../verify/known-source.ts';
import type { Verified } from '../verify/verify-request.ts';

/** A verified (or refused) request on its way into a group. */
export interface Candidate {
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  readonly source: KnownSource;
  readonly verified: Verified;
  /** Only where the signature held and the source keeps bodies. */
  readonly request?: KeptRequest | undefined;
  /** What it adds to the group's job. */
  readonly bytes: number;
  readonly trace?: RequestTrace | undefined;
}
