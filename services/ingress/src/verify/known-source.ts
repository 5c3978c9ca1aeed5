import type { SourceRecord } from '@sluice/admission/source-record';
import type { HmacSha256 } from '@sluice/signature/hmac-sha256';

/** A source as this process has it cached, with its signing secret ready for use. */
export interface KnownSource {
  readonly record: SourceRecord;
  readonly key: HmacSha256;
  /** The secret before, for as long as it is known. */
  readonly previous?: { readonly key: HmacSha256; readonly accepted: boolean } | undefined;
}
