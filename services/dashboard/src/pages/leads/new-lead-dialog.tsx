import { NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { Link } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { leadPath } from '../../shell/page-links.ts';
import { Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Note } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { errorOf, NO_DRAFT, patchOf } from './lead-draft.ts';
import { LeadFields } from './lead-fields.tsx';
import { leadName } from './lead-words.ts';

interface NewLeadDialogProps {
  readonly stages: readonly StageItem[];
  readonly onClose: () => void;
  /** Closes the dialog too. */
  readonly onCreated: (leadId: string) => void;
}

/** A pause in typing. */
const TYPED_MS = 300;

const EMPTY = {
  ...{ name: null, company: null, email: null, phone: null, external_id: null, note: null },
  tags: [],
  fields: {},
};

export function NewLeadDialog({ stages, onClose, onCreated }: NewLeadDialogProps) {
  const open = stages.filter(({ retiring_to }) => retiring_to === null);
  const [draft, setDraft] = useState(NO_DRAFT);
  const [stage, setStage] = useState(open[0]?.id ?? '');
  const [email] = useDebouncedValue(draft.texts.email?.trim() ?? '', TYPED_MS);
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
  return (
    <Modal opened onClose={onClose} unsaved={isUnsaved} title="New lead" size="lg">
      <Form
        submit="Create lead"
        change={{ isPending: create.isPending, error }}
        shown={['/']}
        onSubmit={onSubmit}
        onCancel={onClose}
      >
        <p className="dimmed small">
          Fill in at least a name, an email address, a phone number or an external ID.
        </p>
        <LeadFields isNew lead={EMPTY} draft={draft} error={create.error} onChange={setDraft} />
        <SameEmail email={email} />
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

/** Warns of a second lead of one person. Conversations go to the oldest. */
function SameEmail({ email }: { readonly email: string }) {
  const query = { q: email, limit: 20 };
  const { data } = useRead(ROUTES.leads.list, { query }, { enabled: email.includes('@') });
  const same = data?.items.find((lead) => lead.email?.toLowerCase() === email.toLowerCase());
  if (same === undefined || email === '') return null;
  return (
    <Note tone="warn">
      <bdi>{leadName(same)}</bdi> has this address. <Link to={leadPath(same.id)}>Open that lead</Link>
    </Note>
  );
}
