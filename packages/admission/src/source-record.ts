import type { BodyStorage } from '@sluice/contract/delivery/body-storage';
import type { Sender } from '@sluice/signature/sender/sender';

/** A source as published in Redis for the ingress. The signing secret is sealed (encrypted). */
export interface SourceRecord {
  readonly source_id: string;
  readonly account_id: string;
  /** Grows with every change of the source or of its account's plan. The admission compares it. */
  readonly version: number;
  readonly active: boolean;
  /** An admin has deleted it: to senders it does not exist. Actions of the dashboard on its events are still admitted. */
  readonly is_deleted?: true;
  /** Absent: it sends events. */
  readonly kind?: 'channel';
  readonly sealed_secret: string;
  /** Name of the account's plan. */
  readonly plan: string;
  /** Requests a second; null is the installation's default. */
  readonly rate_per_second: number | null;
  /** Requests at once; null is the installation's default. */
  readonly rate_burst: number | null;
  /** The signed requests whose bodies are stored. */
  readonly body_storage: BodyStorage;
  /** Its bodies may have `external_id` and `replaces`. Absent: fields of these names are not read. */
  readonly external_ids?: true;
  /** How its requests are verified. Absent: by the scheme of Sluice. */
  readonly sender?: Sender;
  /** The secret that the last rotation replaced, while it is still known. */
  readonly previous_secret?: PreviousSecretRecord;
}

/** A rotated secret. It is recognised, and during an overlap it is accepted too. */
export interface PreviousSecretRecord {
  readonly sealed_secret: string;
  /** Milliseconds since the Unix epoch, by Redis's clock; null if its requests get 401. */
  readonly accepted_until: number | null;
}
