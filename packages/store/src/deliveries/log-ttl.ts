import { DAY_SECONDS } from '@sluice/contract/time/durations';
import type { Schema } from 'mongoose';

const DEFAULT_RETENTION_DAYS = 30;

/** The time after which MongoDB deletes rows of the delivery log, and the imports that made them. */
export interface LogTtl {
  readonly retentionSeconds: number;
}

/** `days`: DELIVERY_RETENTION_DAYS. A later change applies to existing rows too (ensure-indexes.ts). */
export function logTtl(days: number = DEFAULT_RETENTION_DAYS): LogTtl {
  return { retentionSeconds: days * DAY_SECONDS };
}

/** Adds the TTL index to a collection. `field` is the Date of a row. */
export function withLogTtl<Document>(
  schema: Schema<Document>,
  field: string,
  { retentionSeconds }: LogTtl,
): Schema<Document> {
  return schema.index({ [field]: 1 }, { expireAfterSeconds: retentionSeconds });
}
