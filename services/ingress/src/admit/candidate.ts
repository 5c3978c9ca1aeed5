import type { KeptRequest } from '@sluice/contract/delivery';
import type { RequestTrace } from '../trace/request-trace.ts';
import type { KnownSource } from '../verify/known-source.ts';
import type { Verified } from '../verify/verify-request.ts';

/** A verified or rejected request that waits for its group. */
export interface Candidate {
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  readonly source: KnownSource;
  readonly verified: Verified;
  /** Present if the signature is valid and the source stores bodies. */
  readonly request?: KeptRequest | undefined;
  /** The bytes that it adds to the group's job. */
  readonly bytes: number;
  /** This ingress, if the sender waits for the result (results/results.ts). */
  readonly resultsTo?: string | undefined;
  readonly trace?: RequestTrace | undefined;
}
