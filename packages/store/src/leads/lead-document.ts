import type { FieldValue, LeadOrigin } from '@sluice/contract/lead/lead';
import type { PendingChange } from '@sluice/contract/message/change';
import type { StoredChange } from '../pending/stored-change.ts';

/** The fields that clients write. A field without a value is absent. */
export interface LeadContent {
  readonly name?: string;
  readonly company?: string;
  readonly email?: string;
  readonly phone?: string;
  /** The phone number in international form, where it can be read. */
  readonly phone_e164?: string;
  readonly external_id?: string;
  readonly note?: string;
  readonly tags: readonly string[];
  /** Custom fields, in the order in which they were added. */
  readonly fields: ReadonlyMap<string, FieldValue>;
}

/** A lead. Times are milliseconds since the Unix epoch. */
export interface Lead extends LeadContent {
  readonly lead_id: string;
  readonly account_id: string;
  /** Id of a pipeline stage. */
  readonly stage: string;
  readonly origin: LeadOrigin;
  readonly conversation_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly stage_changed_at: number;
  /** Starts at 1. Each change adds 1, and publishing a change adds nothing. */
  readonly revision: number;
  /** The sequence number of the last change (contract/message/change.ts). */
  readonly sequence: number;
  /** Hashes that only this lead of the account may have: of its email and its phone number, or of fewer. */
  readonly claims: readonly string[];
  /** Changes that are not published yet, oldest first. */
  readonly untold: readonly PendingChange[];
}

/** The keys by which a lead is found. All of it is derived from the lead (packages/leads/src/fields/lead-keys.ts). */
export interface LeadKeys {
  /** Beginnings of words, and tokens of the fields that select exactly. */
  readonly words: readonly string[];
  /** Whole words of more characters than the longest stored beginning. */
  readonly long_words: readonly string[];
  /** Tokens of the fields that lists are filtered by in the order of changes. */
  readonly facets: readonly string[];
}

/** A document of the collection `leads`. */
export interface LeadDocument {
  readonly _id: string;
  readonly schema_version: 1;
  /** Absent in the tombstone of an erased lead, so that no query of an account finds it. */
  readonly account_id?: string;
  readonly name?: string;
  readonly company?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly phone_e164?: string;
  readonly external_id?: string;
  readonly note?: string;
  readonly tags?: readonly string[];
  /** A list, because the name of a custom field may be any text, and a name in BSON may not. */
  readonly fields?: readonly { readonly k: string; readonly v: FieldValue }[];
  readonly stage?: string;
  readonly origin?: LeadOrigin;
  readonly conversation_id?: string;
  readonly created_at?: Date;
  readonly updated_at?: Date;
  readonly stage_changed_at?: Date;
  readonly revision: number;
  readonly sequence: number;
  readonly claims?: readonly string[];
  readonly words?: readonly string[];
  readonly long_words?: readonly string[];
  readonly facets?: readonly string[];
  readonly untold?: readonly StoredChange[];
  /** When the oldest pending change was made. Absent if there is none. */
  readonly untold_at?: Date;
  /** The account of an erased lead. */
  readonly erased_from?: string;
  readonly erased_at?: Date;
  /** When the traces of an erased lead are removed once more. Absent once that is done. */
  readonly erase_again_at?: Date;
}

/** Whether a document is that of a lead, and not the tombstone of an erased one. */
export function isLead(document: LeadDocument): boolean {
  return document.account_id !== undefined;
}
