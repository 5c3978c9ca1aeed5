import type { SourceRecord } from '@sluice/admission/source-record';

/** What the verbs need of admission's source directory. */
export interface SourcePublisher {
  /** From now until the change is published, or the fence runs out, no request of the source is admitted. */
  fence(sourceId: string, accountId: string): Promise<void>;
  /** Makes the record what every ingress goes by, unless a newer one is, and takes this change's fence away. */
  publish(record: SourceRecord): Promise<unknown>;
}
