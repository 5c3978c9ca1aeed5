import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { Chip } from '../../ui/chip.tsx';
import { KIND_TONES } from './lead-words.ts';

interface StageChipProps {
  readonly stageId: string;
  readonly stages: readonly StageItem[];
}

/** Shows the stage of a lead. A stage that is gone is displayed by its id. */
export function StageChip({ stageId, stages }: StageChipProps) {
  const stage = stages.find(({ id }) => id === stageId);
  return <Chip tone={stage === undefined ? 'quiet' : KIND_TONES[stage.kind]}>{stage?.name ?? stageId}</Chip>;
}
