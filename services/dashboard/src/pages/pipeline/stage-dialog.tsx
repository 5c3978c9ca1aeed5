import { NativeSelect, TextInput } from '@mantine/core';
import { STAGE_KINDS, type StageKind } from '@sluice/dashboard-api/lead-names';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FormEvent } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import dialog from '../../ui/dialog.module.css';
import { textOf } from '../../ui/form.ts';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Modal } from '../../ui/modal.tsx';
import { KIND_WORDS } from '../leads/lead-words.ts';

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
  const { error, isPending } = stage === null ? add : change;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { name: textOf(form, 'name'), kind: textOf(form, 'kind') as StageKind };
    if (stage === null) add.mutate({ body }, { onSuccess: onClose });
    else change.mutate({ params: { stageId: stage.id }, body }, { onSuccess: onClose });
  };
  const nameError = fieldError(error, '/name');
  return (
    <Modal opened onClose={onClose} title={stage === null ? 'Add a stage' : `Edit “${stage.name}”`} size="md">
      <form className={dialog.body} onSubmit={onSubmit}>
        <TextInput
          name="name"
          label="Name"
          defaultValue={stage?.name ?? ''}
          required
          withAsterisk={false}
          maxLength={50}
          data-autofocus
          error={nameError}
        />
        <NativeSelect
          name="kind"
          label="Kind"
          description="Leads in a stage are open, won or lost."
          data={KINDS}
          defaultValue={stage?.kind ?? 'open'}
        />
        <FormFoot
          submit={stage === null ? 'Add stage' : 'Save stage'}
          pending={isPending}
          error={nameError === undefined ? error : null}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
