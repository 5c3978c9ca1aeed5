import { LEAD_TEXTS, type LeadPatch } from '@sluice/contract/lead/lead';
import type { Mutable } from '@sluice/contract/text/mutable';
import type { LeadContent } from '@sluice/store/leads/lead-document';
import { readPhone } from './phone.ts';

/**
 * Applies a merge patch (RFC 7396): an absent field stays, null clears, `fields` are merged key by key, `tags` are replaced.
 * `stage` is not content.
 */
export function mergePatch(content: LeadContent, patch: LeadPatch, region: string | null): LeadContent {
  const merged: Mutable<LeadContent> = {
    tags: patch.tags === undefined ? content.tags : (patch.tags ?? []),
    fields: mergedFields(content.fields, patch.fields),
  };
  for (const name of LEAD_TEXTS) {
    const value = patch[name] === undefined ? content[name] : (patch[name] ?? undefined);
    if (value !== undefined) merged[name] = value;
  }
  const e164 = patch.phone === undefined ? content.phone_e164 : e164Of(patch.phone, region);
  if (e164 !== undefined) merged.phone_e164 = e164;
  return merged;
}

function e164Of(phone: string | null, region: string | null): string | undefined {
  return phone === null ? undefined : readPhone(phone, region).e164;
}

function mergedFields(fields: LeadContent['fields'], patch: LeadPatch['fields']): LeadContent['fields'] {
  if (patch === undefined) return fields;
  if (patch === null) return new Map();
  const merged = new Map(fields);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === '') merged.delete(name);
    else merged.set(name, value);
  }
  return merged;
}
