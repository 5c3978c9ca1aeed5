import type { Fence } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';

/** What the verbs need of admission's source directory. */
export interface SourcePublisher {
  /** From now until the change is published, or the fence runs out, no request of the source is admitted. */
  fence(sourceId: string, accountId: string): Promise<Fence>;
  /** Makes the record what every ingress goes by, unless a newer one is, and takes this change's fence away. */
  publish(record: SourceRecord, fence: Fence): Promise<unknown>;
  /** Publishes a source that Redis does not know, as MongoDB then has it; never beside a fence. */
  republish(
    source: Pick<SourceRecord, 'source_id' | 'account_id'>,
    load: () => Promise<SourceRecord | undefined>,
  ): Promise<unknown>;
}
