import type { Fence } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';

/** The part of admission's source directory that management needs. */
export interface SourcePublisher {
  /** Blocks admission for the source until the change is published or the fence expires. */
  fence(sourceId: string, accountId: string): Promise<Fence>;
  /** Makes the record current on every ingress, unless a newer one is, and removes this change's fence. */
  publish(record: SourceRecord, fence: Fence): Promise<unknown>;
  /** Publishes a source that Redis does not know, as MongoDB has it. Does nothing while there is a fence. */
  republish(
    source: Pick<SourceRecord, 'source_id' | 'account_id'>,
    load: () => Promise<SourceRecord | undefined>,
  ): Promise<unknown>;
}
