import { LEAD_TEXT_FIELDS, type LeadTextField } from '@sluice/dashboard-api/lead-names';
import type { LeadChange, LeadFieldValue, LeadItem } from '@sluice/dashboard-api/leads';
import { fieldError } from '../../api/api-error.ts';
import { typedSince } from '../../ui/typed-since.ts';

/** The edits of a user that are not saved yet. It contains only the fields touched. */
export interface LeadDraft {
  readonly texts: Readonly<Partial<Record<LeadTextField, string>>>;
  readonly tags?: readonly string[];
  /** Custom fields by name; null removes a field. */
  readonly fields: Readonly<Record<string, LeadFieldValue | null>>;
}

export const NO_DRAFT: LeadDraft = { texts: {}, fields: {} };

/** Returns what was edited after a draft was sent; NO_DRAFT if nothing was. */
export function editedSince(sent: LeadDraft, now: LeadDraft): LeadDraft {
  const texts = typedSince(sent.texts, now.texts);
  const fields = typedSince(sent.fields, now.fields) as LeadDraft['fields'];
  const tags = now.tags === sent.tags ? undefined : now.tags;
  const isSame = tags === undefined && Object.keys(texts).length + Object.keys(fields).length === 0;
  return isSame ? NO_DRAFT : { texts, fields, ...(tags !== undefined && { tags }) };
}

type Edited = Pick<LeadItem, LeadTextField | 'tags' | 'fields'>;

/** Returns the merge patch that saves a draft: only the fields that differ from the lead. */
export function patchOf(lead: Edited, { texts, tags, fields }: LeadDraft): LeadChange['patch'] {
  const changedTexts = LEAD_TEXT_FIELDS.flatMap((name) => {
    const text = texts[name]?.trim();
    return text === undefined || text === (lead[name] ?? '') ? [] : [[name, text === '' ? null : text]];
  });
  const changedFields = Object.entries(fields).filter(
    ([name, value]) => value !== (lead.fields[name] ?? null),
  );
  return {
    ...Object.fromEntries(changedTexts),
    ...(tags !== undefined && tags.join('\n') !== lead.tags.join('\n') && { tags: [...tags] }),
    ...(changedFields.length > 0 && { fields: Object.fromEntries(changedFields) }),
  };
}

/** Returns the custom fields as displayed: the stored ones with the edits, without removed ones. */
export function shownFields(
  lead: Pick<LeadItem, 'fields'>,
  draft: LeadDraft,
): (readonly [string, LeadFieldValue])[] {
  return Object.entries({ ...lead.fields, ...draft.fields }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
}

/**
 * Returns the fields in a draft that changed on the server since the user began to edit, with their values there: texts,
 * `tags`, and custom fields as `fields.name`.
 */
export function changedMeanwhile(base: Edited, lead: Edited, draft: LeadDraft): ReadonlyMap<string, string> {
  const texts = LEAD_TEXT_FIELDS.filter(
    (name) => draft.texts[name] !== undefined && base[name] !== lead[name],
  ).map((name) => [name, lead[name] ?? ''] as const);
  const hasOtherTags = draft.tags !== undefined && base.tags.join('\n') !== lead.tags.join('\n');
  const custom = Object.keys(draft.fields)
    .filter((name) => base.fields[name] !== lead.fields[name])
    .map((name) => [`fields.${name}`, String(lead.fields[name] ?? '')] as const);
  return new Map([...texts, ...(hasOtherTags ? [['tags', lead.tags.join(', ')] as const] : []), ...custom]);
}

/** The error of a field of a lead. A new lead is the whole body, a change is its patch. Errors point into either. */
export function errorOf(error: Error | null, name: string): string | undefined {
  return fieldError(error, `/${name}`) ?? fieldError(error, `/patch/${name}`);
}
