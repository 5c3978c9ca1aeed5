import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { useState } from 'react';
import { ErrorNote } from '../../ui/states.tsx';
import classes from './pipeline.module.css';
import { RetireDialog } from './retire-dialog.tsx';
import { StageDialog } from './stage-dialog.tsx';
import { StageRow } from './stage-row.tsx';
import { useStageOrder } from './use-stage-order.ts';

interface StageListProps {
  readonly stages: readonly StageItem[];
  readonly mayChange: boolean;
}

/** The stages in their order. Rows move by dragging or with their buttons. */
export function StageList({ stages, mayChange }: StageListProps) {
  const [changing, setChanging] = useState<StageItem | null>(null);
  const [retiring, setRetiring] = useState<StageItem | null>(null);
  const order = useStageOrder(stages);
  return (
    <>
      {order.error !== null && <ErrorNote error={order.error} />}
      <ol className={classes.stages} aria-label="Stages in their order">
        {order.stages.map((stage, index) => (
          <StageRow
            key={stage.id}
            stage={stage}
            index={index}
            stages={order.stages}
            mayChange={mayChange}
            onMove={(to) => order.move(stage, to)}
            onDropped={(stageId) => order.moveById(stageId, index)}
            onChange={() => setChanging(stage)}
            onRetire={() => setRetiring(stage)}
          />
        ))}
      </ol>
      <div aria-live="assertive" className="visually-hidden">
        {order.announcement}
      </div>
      {changing !== null && <StageDialog stage={changing} onClose={() => setChanging(null)} />}
      {retiring !== null && (
        <RetireDialog stage={retiring} stages={stages} onClose={() => setRetiring(null)} />
      )}
    </>
  );
}
