import type { SourceRecord } from '@sluice/admission/source-record';
import type { BodyStorage } from '@sluice/contract/delivery/body-storage';
import type { Mapper } from '@sluice/signature/mapping/mapper';
import type { Verifier } from '@sluice/signature/sender/compile-verifier';
import type { Profile } from '@sluice/signature/sender/profile';
import type { VerifyingKey } from '@sluice/signature/verify';

/** A cached source, with its signing secret ready for use. */
export interface KnownSource {
  readonly record: SourceRecord;
  /** The bodies that the log stores. */
  readonly bodyStorage: BodyStorage;
  readonly key: VerifyingKey;
  /** Verifies the requests of another sender. Absent: they have the scheme of Sluice. */
  readonly sender?: KnownSender | undefined;
  /** The previous secret, while it is still known. */
  readonly previous?: { readonly key: VerifyingKey; readonly accepted: boolean } | undefined;
}

/** Another sender, ready for use. */
export interface KnownSender {
  readonly profile: Profile;
  readonly verify: Verifier;
  /** Absent: its bodies are actions. */
  readonly mapper?: Mapper | undefined;
}
