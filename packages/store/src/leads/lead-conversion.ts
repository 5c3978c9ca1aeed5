import type { Mutable } from '@sluice/contract/text/mutable';
import { fromStoredChanges } from '../pending/pending-list.ts';
import type { Lead, LeadDocument, LeadKeys } from './lead-document.ts';

const TEXTS = ['name', 'company', 'email', 'phone', 'phone_e164', 'external_id', 'note'] as const;

/** The fields that a change may leave out. */
export const OPTIONAL = [
  ...TEXTS,
  'tags',
  'fields',
  'conversation_id',
  'claims',
  'words',
  'long_words',
] as const;

/**
 * The fields of a lead's document, without its pending changes and the time of the write. Fields without a value, and keys that are not
 * given, are absent.
 */
export function fieldsOf(lead: Lead, keys: LeadKeys | undefined): Omit<LeadDocument, '_id' | 'updated_at'> {
  const document: Mutable<Omit<LeadDocument, '_id' | 'updated_at'>> = {
    schema_version: 1,
    account_id: lead.account_id,
    stage: lead.stage,
    origin: lead.origin,
    created_at: new Date(lead.created_at),
    stage_changed_at: new Date(lead.stage_changed_at),
    revision: lead.revision,
    sequence: lead.sequence,
  };
  for (const name of TEXTS) if (lead[name] !== undefined) document[name] = lead[name];
  if (lead.conversation_id !== null) document.conversation_id = lead.conversation_id;
  if (lead.tags.length > 0) document.tags = lead.tags;
  if (lead.fields.size > 0) document.fields = Array.from(lead.fields, ([k, v]) => ({ k, v }));
  if (lead.claims.length > 0) document.claims = lead.claims;
  if (keys !== undefined) {
    document.facets = keys.facets;
    if (keys.words.length > 0) document.words = keys.words;
    if (keys.long_words.length > 0) document.long_words = keys.long_words;
  }
  return document;
}

/** The lead of a document that `isLead`. */
export function fromDocument(document: LeadDocument): Lead {
  const { created_at, updated_at, stage_changed_at } = document as Required<LeadDocument>;
  const lead: Mutable<Lead> = {
    lead_id: document._id,
    account_id: document.account_id ?? '',
    stage: document.stage ?? '',
    origin: document.origin ?? 'api',
    conversation_id: document.conversation_id ?? null,
    tags: document.tags ?? [],
    fields: new Map((document.fields ?? []).map(({ k, v }) => [k, v])),
    created_at: created_at.getTime(),
    updated_at: updated_at.getTime(),
    stage_changed_at: stage_changed_at.getTime(),
    revision: document.revision,
    sequence: document.sequence,
    claims: document.claims ?? [],
    untold: fromStoredChanges(document.untold ?? []),
  };
  for (const name of TEXTS) if (document[name] !== undefined) lead[name] = document[name];
  return lead;
}
