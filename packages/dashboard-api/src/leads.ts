import { type leadInput, leadMove, leadPatch, leadRecord } from '@sluice/contract/lead/lead';
import { ACTOR_TYPES } from '@sluice/contract/message/event-kinds';
import * as z from 'zod';
import { instantText, pageOf, pageQuery } from './common.ts';
import { LEAD_SORTS } from './lead-names.ts';

/** A lead as the public API returns it. */
export const leadItem = leadRecord.extend({
  /** Grows with each change. A change sends the revision that it was based on. */
  revision: z.number(),
});
export type LeadItem = z.infer<typeof leadItem>;
export type LeadFieldValue = LeadItem['fields'][string];

export const leadPage = pageOf(leadItem);
export type LeadPage = z.infer<typeof leadPage>;

const filter = {
  /** Beginnings of words of name, company and email, or the first digits of the phone number. */
  q: z.string().max(200).optional(),
  stage: z.string().max(100).optional(),
  tag: z.string().max(50).optional(),
  sort: z.enum(LEAD_SORTS).optional(),
};

/** Newest first by default. */
export const leadQuery = z.object({ ...filter, ...pageQuery.shape });
export type LeadQuery = z.input<typeof leadQuery>;

/** The same filter for a file with all matching leads. */
export const leadExport = z.object(filter);
export type LeadExport = z.input<typeof leadExport>;

/** Changes whenever a lead of the account or its pipeline changes, so that an open list knows when to reload. */
export const leadsVersion = z.object({ version: z.string() });
export type LeadsVersion = z.infer<typeof leadsVersion>;

export type NewLead = z.input<typeof leadInput>;

/** A JSON merge patch (RFC 7396). 412 `changed_meanwhile` if the lead has another revision. */
export const leadChange = z.object({ revision: z.number().int().optional(), patch: leadPatch });
export type LeadChange = z.input<typeof leadChange>;

/** `move_id` is made up by the client. A repeat with the same one has no further effect, so its note is stored once. */
export const noteableMove = leadMove.extend({
  move_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/, 'Send 8 to 64 letters, digits, _ or -.')
    .optional(),
});
export type LeadMove = z.input<typeof noteableMove>;

/** One field before and after a change, as displayed. null: empty. */
const fieldChange = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type LeadFieldChange = z.infer<typeof fieldChange>;

export const leadHistoryItem = z.object({
  sequence: z.number(),
  at: instantText,
  kind: z.string(),
  /** `name` is an email address or the name of an API key; null if it no longer exists. */
  actor: z.object({ type: z.enum(ACTOR_TYPES), id: z.string(), name: z.string().nullable() }),
  /** Whether the change belongs to an import of a file. */
  imported: z.boolean(),
  changes: z.array(fieldChange),
  note: z.string().nullable(),
});
export type LeadHistoryItem = z.infer<typeof leadHistoryItem>;

/** Newest first. */
export const leadHistory = pageOf(leadHistoryItem);
export type LeadHistory = z.infer<typeof leadHistory>;
