import type { StageKind } from '@sluice/dashboard-api/lead-names';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';
import type { Tone } from '../../ui/chip.tsx';
import { counted } from '../../ui/words.ts';

/** The display names of origins. */
export const LEAD_ORIGIN_WORDS: Readonly<Record<LeadItem['origin'], string>> = {
  api: 'API',
  import: 'import',
  dashboard: 'dashboard',
  conversation: 'conversation',
};

/** The display names of fields. Custom fields have no entry: their names are displayed. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  name: 'Name',
  company: 'Company',
  email: 'Email',
  phone: 'Phone',
  phone_e164: 'Phone, international',
  stage: 'Stage',
  external_id: 'External ID',
  tags: 'Tags',
  note: 'Note',
  conversation_id: 'Conversation',
};

export function fieldWord(field: string): string {
  return FIELD_WORDS[field] ?? field.replace(/^fields\./, '');
}

export const KIND_WORDS: Readonly<Record<StageKind, string>> = { open: 'Open', won: 'Won', lost: 'Lost' };

export const KIND_TONES: Readonly<Record<StageKind, Tone>> = { open: 'info', won: 'ok', lost: 'quiet' };

/** The name of a lead, or the first thing that identifies it. */
export function leadName({ name, email, phone, external_id, id }: LeadItem): string {
  return name ?? email ?? phone ?? external_id ?? id;
}

/** The number of leads in a stage, which is counted up to a limit. */
export function countedWords(count: number): string {
  return count < LEADS_COUNTED
    ? counted(count, 'lead')
    : `${LEADS_COUNTED.toLocaleString('en')} leads or more`;
}
