import { NOTHING_IDENTIFIES } from '@sluice/contract/lead/lead';
import { LEAD_MAX } from '@sluice/contract/lead/lead-limits';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadWritten } from './change-lead.ts';
import type { LeadCreated } from './create-lead.ts';

/** The result of a create, change or move. */
export type Written = LeadWritten | LeadCreated;

export type StoredLead = Extract<Written, { readonly lead: Lead }>;
/** A value that the account cannot have, although its form is right. */
export type WrongValue = Exclude<
  Written,
  StoredLead | { readonly status: 'not_found' | 'erased' | 'changed_meanwhile' }
>;

/** Describes what is wrong with a field of a lead that has the right form. `field` is null if several are concerned. */
export function wrongField(written: WrongValue): { readonly field: string | null; readonly detail: string } {
  switch (written.status) {
    case 'external_id_taken':
      return {
        field: 'external_id',
        detail: `The lead ${written.by} has this external ID. Choose another one.`,
      };
    case 'unknown_stage':
      return { field: 'stage', detail: 'This stage is gone, or is being retired. Choose another one.' };
    case 'nothing_identifies':
      return { field: null, detail: NOTHING_IDENTIFIES };
    case 'too_many_fields':
      return { field: 'fields', detail: `More than ${LEAD_MAX.fields} custom fields. Remove some.` };
  }
}
