import type { UntoldChange } from '@sluice/contract/change';

/**
 * A change in a document. Its parts are one JSON text, because the names of custom fields may be any text, and names in BSON
 * may not.
 */
export interface StoredChange {
  readonly sequence: number;
  readonly kind: UntoldChange['kind'];
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** JSON of `actor`, `data`, `previous` and `note`. */
  readonly rest: string;
}

export function toStoredChange({ sequence, kind, at, ...rest }: UntoldChange): StoredChange {
  return { sequence, kind, at, rest: JSON.stringify(rest) };
}

export function fromStoredChange({ sequence, kind, at, rest }: StoredChange): UntoldChange {
  return { sequence, kind, at, ...JSON.parse(rest) };
}
