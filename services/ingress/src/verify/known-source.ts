import type { KeyObject } from 'node:crypto';
import type { SourceRecord } from '@sluice/admission/source-record';

/** A source as this process has it cached, with its signing secret ready for use. */
export interface KnownSource {
  readonly record: SourceRecord;
  readonly key: KeyObject;
}
