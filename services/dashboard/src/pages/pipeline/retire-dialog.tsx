import { Button, NativeSelect } from '@mantine/core';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { useState } from 'react';
import dialog from '../../ui/dialog.module.css';
import { Modal } from '../../ui/modal.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { countedWords } from './leads-words.ts';
import { useRetireStage } from './use-retire-stage.ts';

interface RetireDialogProps {
  readonly stage: StageItem;
  readonly stages: readonly StageItem[];
  readonly onClose: () => void;
}

/**
 * Moves the leads of a stage to another one, portion by portion, and removes the stage. Closing stops it after a portion. It stays
 * open until the first one has ended, so that an error is seen.
 */
export function RetireDialog({ stage, stages, onClose }: RetireDialogProps) {
  const targets = stages.filter(({ id, retiring_to }) => id !== stage.id && retiring_to === null);
  const [target, setTarget] = useState(stage.retiring_to ?? targets[0]?.id ?? '');
  const toast = useToast();
  const retire = useRetireStage(stage, () => {
    toast(`The stage “${stage.name}” is gone.`);
    onClose();
  });
  const isBeginning = retire.running && retire.progress === null;
  const { moved, left } = retire.progress ?? { moved: 0, left: stage.leads };
  return (
    <Modal opened onClose={onClose} title={`Retire “${stage.name}”?`} size="md" closable={!isBeginning}>
      <div className={dialog.body}>
        <div className={dialog.effect}>
          <p>
            No new leads go into this stage from now on. Its leads move to the stage that you choose, then the
            stage is removed.
          </p>
          <NativeSelect
            label={`Move ${countedWords(stage.leads)} to`}
            data={targets.map(({ id, name }) => ({ value: id, label: name }))}
            value={target}
            disabled={retire.running || stage.retiring_to !== null}
            onChange={(event) => setTarget(event.currentTarget.value)}
          />
          {retire.progress !== null && (
            <>
              <progress
                className={dialog.progress}
                value={moved}
                max={Math.max(1, moved + left)}
                aria-label="Leads moved"
              />
              <p role="status" className="number">
                {moved.toLocaleString('en')} moved, {countedWords(left)} left.
              </p>
              <p className="dimmed small">You can close this dialog and continue later.</p>
            </>
          )}
        </div>
        {retire.error !== null && <ErrorNote error={retire.error} />}
        <div className={dialog.buttons}>
          <Button variant="default" disabled={isBeginning} onClick={onClose} data-autofocus>
            {retire.running && !isBeginning ? 'Close' : 'Cancel'}
          </Button>
          <Button color="danger" loading={retire.running} onClick={() => void retire.start(target)}>
            {stage.retiring_to === null ? 'Retire stage' : 'Continue'}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
