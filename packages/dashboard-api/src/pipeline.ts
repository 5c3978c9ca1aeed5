import { type newStage, pipelineStage, type stageChange } from '@sluice/contract/lead/pipeline';
import * as z from 'zod';

export const stageItem = pipelineStage.extend({
  /** The stage to which its leads move while it is being retired; null: it is not. */
  retiring_to: z.string().nullable(),
  /** Leads in the stage. Counted up to `LEADS_COUNTED`. */
  leads: z.number(),
});
export type StageItem = z.infer<typeof stageItem>;

export const pipeline = z.object({
  stages: z.array(stageItem),
  /** The country whose phone numbers need no prefix, such as `DE`; null: every number needs one. */
  phone_region: z.string().nullable(),
});
export type Pipeline = z.infer<typeof pipeline>;

export type NewStage = z.input<typeof newStage>;
export type StageChange = z.input<typeof stageChange>;

/** All stages in their new order. 409 `conflict` if a stage is missing or unknown. */
export const stageOrder = z.object({ stages: z.array(z.string().max(100)).min(1).max(100) });
export type StageOrder = z.input<typeof stageOrder>;

/** Moves a portion of the leads. Repeat it until `left` is 0: then the stage is gone. */
export const stageRetirement = z.object({ move_to: z.string().max(100) });
export type StageRetirement = z.input<typeof stageRetirement>;

export const stageRetired = z.object({
  moved: z.number(),
  /** Leads that are still in the stage. Counted up to `LEADS_COUNTED`. */
  left: z.number(),
});
export type StageRetired = z.infer<typeof stageRetired>;

export const phoneRegion = z.object({
  phone_region: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Choose a country.')
    .nullable(),
});
export type PhoneRegion = z.input<typeof phoneRegion>;
