import { NativeSelect } from '@mantine/core';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { ApiError, fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { errorOf, NO_DRAFT, patchOf } from './lead-draft.ts';
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
  const onSubmit = () => {
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
  const error = whole === undefined ? create.error : new Error(whole);
  const shown = error instanceof ApiError ? error.errors.map(({ pointer }) => pointer) : [];
  return (
    <Modal opened onClose={onClose} unsaved={isUnsaved} title="New lead" size="lg">
      <Form
        submit="Create lead"
        change={{ isPending: create.isPending, error }}
        shown={shown}
        onSubmit={onSubmit}
        onCancel={onClose}
      >
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
      </Form>
    </Modal>
  );
}
