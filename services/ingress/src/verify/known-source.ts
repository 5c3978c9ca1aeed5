import type { KeyObject } from 'node:crypto';
import type { SourceRecord } from '@sluice/admission/source-record';

/** A source as this process has it cached, with its signing secret ready for use. */
export interface KnownSource {
  readonly record: SourceRecord;
  readonly key: KeyObject;
  /** The secret before, for as long as it is known. */
  readonly previous?: { readonly key: KeyObject; readonly accepted: boolean } | undefined;
}
