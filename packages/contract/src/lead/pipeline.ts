import * as z from 'zod';
import { codePointsFit, longerThan, oneOf, string } from '../text/schema-parts.ts';

/** The meanings of a stage: leads in it are open, won or lost. */
export const STAGE_KINDS = ['open', 'won', 'lost'] as const;
export type StageKind = (typeof STAGE_KINDS)[number];

export const PIPELINE_MAX = { stages: 50, name: 50 } as const;

/** One stage of an account's pipeline, as the API returns it. */
export const pipelineStage = z.object({
  id: z.string(),
  name: z.string(),
  position: z.number().int().meta({ description: 'The place of the stage in the pipeline, from 0.' }),
  kind: z.enum(STAGE_KINDS).meta({ description: 'Leads in the stage are open, won or lost.' }),
});
export type PipelineStage = z.infer<typeof pipelineStage>;

export const stageName = string('"Qualified"')
  .trim()
  .refine((value) => value !== '', 'Empty. Send a name.')
  .refine((value) => value.isWellFormed(), 'Contains half of a surrogate pair. Send well-formed Unicode.')
  .refine((value) => codePointsFit(value, PIPELINE_MAX.name), longerThan(PIPELINE_MAX.name))
  .meta({ minLength: 1, maxLength: PIPELINE_MAX.name });

export const newStage = z.strictObject({ name: stageName, kind: oneOf(STAGE_KINDS) });
export type NewStage = z.infer<typeof newStage>;

export const stageChange = z.strictObject({
  name: stageName.optional(),
  kind: oneOf(STAGE_KINDS).optional(),
});
export type StageChange = z.infer<typeof stageChange>;

/** The stages of an account that has not changed its pipeline. */
export const DEFAULT_STAGES: readonly Omit<PipelineStage, 'position'>[] = [
  { id: 'stg_new', name: 'New', kind: 'open' },
  { id: 'stg_contacted', name: 'Contacted', kind: 'open' },
  { id: 'stg_qualified', name: 'Qualified', kind: 'open' },
  { id: 'stg_won', name: 'Won', kind: 'won' },
  { id: 'stg_lost', name: 'Lost', kind: 'lost' },
];
