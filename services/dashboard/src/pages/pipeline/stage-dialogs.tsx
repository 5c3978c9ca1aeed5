import { Button, NativeSelect, TextInput } from '@mantine/core';
import { STAGE_KINDS, type StageKind } from '@sluice/dashboard-api/lead-names';
import type { StageItem, StageRetired } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { fieldError } from '../../api/api-error.ts';
import { reloadSessionAfter, useWrite } from '../../api/queries.ts';
import dialog from '../../ui/dialog.module.css';
import { Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { countedWords, KIND_WORDS } from '../leads/lead-words.ts';

const KINDS = STAGE_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));

interface StageDialogProps {
  /** null: adds a stage. */
  readonly stage: StageItem | null;
  readonly onClose: () => void;
}

/** Adds a stage, or changes its name and kind. */
export function StageDialog({ stage, onClose }: StageDialogProps) {
  const add = useWrite(ROUTES.pipeline.addStage, [ROUTES.pipeline.show]);
  const change = useWrite(ROUTES.pipeline.changeStage, [ROUTES.pipeline.show]);
  const save = stage === null ? add : change;
  const onSubmit = (text: (name: string) => string) => {
    const body = { name: text('name'), kind: text('kind') as StageKind };
    if (stage === null) add.mutate({ body }, { onSuccess: onClose });
    else change.mutate({ params: { stageId: stage.id }, body }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title={stage === null ? 'Add a stage' : `Edit “${stage.name}”`} size="md">
      <Form
        submit={stage === null ? 'Add stage' : 'Save stage'}
        change={save}
        shown={['/name']}
        onSubmit={onSubmit}
        onCancel={onClose}
      >
        <TextInput
          name="name"
          label="Name"
          defaultValue={stage?.name ?? ''}
          required
          maxLength={50}
          data-autofocus
          error={fieldError(save.error, '/name')}
        />
        <NativeSelect
          name="kind"
          label="Kind"
          description="Leads in a stage are open, won or lost."
          data={KINDS}
          defaultValue={stage?.kind ?? 'open'}
        />
      </Form>
    </Modal>
  );
}

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
      <div className="stack">
        <div className="stack-small breaks">
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
              <progress value={moved} max={Math.max(1, moved + left)} aria-label="Leads moved" />
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

/** Retires a stage request by request. It stops when the dialog closes; the stage stays marked until it continues. */
function useRetireStage(stage: StageItem, onGone: () => void) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<StageRetired | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [running, setRunning] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const refresh = () =>
    Promise.all(
      [ROUTES.pipeline.show, ROUTES.leads.list].map(({ path }) =>
        client.invalidateQueries({ queryKey: [path] }),
      ),
    );
  const start = async (move_to: string) => {
    setRunning(true);
    setError(null);
    let moved = 0;
    try {
      for (let left = Number.POSITIVE_INFINITY; left > 0 && isOpen.current; ) {
        const input = { params: { stageId: stage.id }, body: { move_to } };
        const portion = await callApi(ROUTES.pipeline.retireStage, input);
        moved += portion.moved;
        left = portion.left;
        setProgress({ moved, left });
      }
      if (isOpen.current) onGone();
    } catch (failure) {
      setError(failure as Error);
      reloadSessionAfter(failure, client);
    } finally {
      setRunning(false);
      await refresh();
    }
  };
  return { progress, error, running, start };
}
