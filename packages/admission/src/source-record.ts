import type { StoredBodyStorage } from '@sluice/contract/body-storage';

/** What the ingress must know of a source, as published in Redis. The signing secret is sealed (encrypted). */
export interface SourceRecord extends StoredBodyStorage {
  readonly source_id: string;
  readonly account_id: string;
  /** Grows with every change of the source or of its account's plan; the fence compares it. */
  readonly version: number;
  readonly active: boolean;
  readonly sealed_secret: string;
  /** Name of the account's plan. */
  readonly plan: string;
  /** Requests a second; null is the installation's default. */
  readonly rate_per_second: number | null;
  /** Requests at once; null is the installation's default. */
  readonly rate_burst: number | null;
}
