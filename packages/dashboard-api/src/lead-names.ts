import type { LeadMatch, LeadText } from '@sluice/contract/lead/lead';
import type { StageKind } from '@sluice/contract/lead/pipeline';

/** Lists of names without schemas, so that a browser can import them at almost no cost. */

/** The text fields of a lead that a user can fill in. */
export const LEAD_TEXT_FIELDS = [
  'name',
  'company',
  'email',
  'phone',
  'external_id',
  'note',
] as const satisfies readonly LeadText[];
export type LeadTextField = LeadText;

/** The fields by which a row of a file finds an existing lead. */
export const LEAD_MATCHES = ['email', 'phone', 'external_id'] as const satisfies readonly LeadMatch[];
export type { LeadMatch };

export const LEAD_SORTS = ['-created_at', 'created_at', '-updated_at', 'updated_at'] as const;

/** The meanings of a stage: leads in it are open, won or lost. */
export const STAGE_KINDS = ['open', 'won', 'lost'] as const satisfies readonly StageKind[];
export type { StageKind };
