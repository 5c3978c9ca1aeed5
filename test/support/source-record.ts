import type { SourceRecord } from '@sluice/admission/source-record';

/** An active source without limits, as the ingress reads it. */
export function sourceRecord(given: Partial<SourceRecord> = {}): SourceRecord {
  return {
    source_id: 'src',
    account_id: 'acc',
    version: 1,
    active: true,
    sealed_secret: 'sealed',
    plan: 'unlimited',
    rate_per_second: null,
    rate_burst: null,
    body_storage: 'all',
    ...given,
  };
}
