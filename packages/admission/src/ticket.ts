import type { IgnoredCode, SignedWith } from '@sluice/contract/delivery/delivery';
import type { AskedAction } from '@sluice/contract/delivery/groups';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import type { SourceRecord } from './source-record.ts';

/** A request that asks for admission, or a rejected one that may get a row in the delivery log. */
export type Ticket =
  | {
      /** A signed action. `imported` actions (imports and reprocessing) do not count towards the source's rate (docs/limits.md). */
      readonly kind: 'action';
      readonly upsert: boolean;
      readonly imported?: boolean;
      /** The timestamp header. With the signature it identifies the byte-identical request. */
      readonly timestamp: string;
      /** The whole signature header, `sha256=…`. */
      readonly signature: string;
      /** How long an identical request can still be inside the window. Seconds. */
      readonly rememberSeconds: number;
      /** The timestamps under which earlier requests of this sender may be remembered too (duplicates.lua.ts). */
      readonly earlier?: readonly string[];
    }
  /** A signed request whose body is not a valid action. `ignored`: it gets a row only while the minute has few of them. */
  | { readonly kind: 'refused'; readonly ignored?: IgnoredCode }
  /** A request that was rejected without a check of its signature. */
  | { readonly kind: 'unverified'; readonly code: ProblemCode }
  /** A wrong signature. `address` counts towards the limit of bad signatures. */
  | {
      readonly kind: 'badly_signed';
      readonly code: ProblemCode;
      readonly address: string;
      /** Requests without a separate row are counted by it. */
      readonly signedWith?: SignedWith | undefined;
    };

/** The requests of one source in a group, with the cached source that verified them. */
export interface SourceTickets {
  readonly record: SourceRecord;
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** The limit of accepted upserts in a month; null is no limit. */
  readonly planLimit: number | null;
  readonly tickets: readonly Ticket[];
  /** The action for the job, of the ticket at an index. */
  readonly asked: (index: number) => AskedAction;
}
