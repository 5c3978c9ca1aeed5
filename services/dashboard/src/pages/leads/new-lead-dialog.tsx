import { NativeSelect } from '@mantine/core';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useState } from 'react';
import { ApiError, fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import dialog from '../../ui/dialog.module.css';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Modal } from '../../ui/modal.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { NO_DRAFT, patchOf } from './lead-draft.ts';
import { errorOf } from './lead-error.ts';
import { LeadFields } from './lead-fields.tsx';

interface NewLeadDialogProps {
  readonly stages: readonly StageItem[];
  readonly onClose: () => void;
  /** Closes the dialog too. */
  readonly onCreated: (leadId: string) => void;
}

const EMPTY = {
  ...{ name: null, company: null, email: null, phone: null, external_id: null, note: null },
  tags: [],
  fields: {},
};

export function NewLeadDialog({ stages, onClose, onCreated }: NewLeadDialogProps) {
  const open = stages.filter(({ retiring_to }) => retiring_to === null);
  const [draft, setDraft] = useState(NO_DRAFT);
  const [stage, setStage] = useState(open[0]?.id ?? '');
  const toast = useToast();
  const create = useWrite(ROUTES.leads.create, [ROUTES.leads.list, ROUTES.pipeline.show]);
  const isUnsaved = Object.keys(patchOf(EMPTY, draft)).length > 0;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { body: { ...patchOf(EMPTY, draft), stage } },
      {
        onSuccess: ({ id }) => {
          toast('Lead created.');
          onCreated(id);
        },
      },
    );
  };
  // About the lead as a whole, such as that nothing identifies it.
  const whole = fieldError(create.error, '');
  const isOfField = whole === undefined && create.error instanceof ApiError && create.error.errors.length > 0;
  return (
    <Modal opened onClose={onClose} unsaved={isUnsaved} title="New lead" size="lg">
      <form className={dialog.body} onSubmit={onSubmit}>
        <p className="dimmed small">
          Fill in at least a name, an email address, a phone number or an external ID.
        </p>
        <LeadFields lead={EMPTY} draft={draft} error={create.error} onChange={setDraft} />
        <NativeSelect
          label="Stage"
          data={open.map(({ id, name }) => ({ value: id, label: name }))}
          value={stage}
          onChange={(event) => setStage(event.currentTarget.value)}
          error={errorOf(create.error, 'stage')}
        />
        <FormFoot
          submit="Create lead"
          pending={create.isPending}
          error={whole === undefined ? (isOfField ? null : create.error) : new Error(whole)}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
