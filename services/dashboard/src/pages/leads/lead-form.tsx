import { Button } from '@mantine/core';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { useFirstWrong } from '../../ui/form.tsx';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { changedMeanwhile, editedSince, type LeadDraft, NO_DRAFT, patchOf } from './lead-draft.ts';
import { LeadFields } from './lead-fields.tsx';
import { fieldWord } from './lead-words.ts';
import classes from './leads.module.css';

/** Edits the fields of a lead. Fields that are not touched follow the lead, which others may change meanwhile. */
export function LeadForm({ lead }: { readonly lead: LeadItem }) {
  const [draft, setDraft] = useState(NO_DRAFT);
  // The lead when the user began to edit.
  const [base, setBase] = useState(lead);
  // A new number resets the fields, with what is typed in them and is not yet a value.
  const [discards, setDiscards] = useState(0);
  const toast = useToast();
  const save = useWrite(ROUTES.leads.change, [ROUTES.leads.list, ROUTES.leads.show, ROUTES.leads.history]);
  const patch = patchOf(lead, draft);
  const isDirty = Object.keys(patch).length > 0;
  useUnsaved(isDirty);
  const others = changedMeanwhile(base, lead, draft);
  const change = (next: LeadDraft) => {
    if (draft === NO_DRAFT) setBase(lead);
    setDraft(next);
  };
  const discard = () => {
    setDraft(NO_DRAFT);
    save.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return toast('No changes to save.');
    save.mutate(
      { params: { leadId: lead.id }, body: { revision: lead.revision, patch } },
      {
        onSuccess: (saved) => {
          setDraft((now) => editedSince(draft, now));
          setBase(saved);
          save.reset();
          toast('Lead saved.');
        },
      },
    );
  };
  return (
    <form ref={useFirstWrong(save.error)} className="stack-small" onSubmit={onSubmit}>
      <LeadFields key={discards} lead={lead} draft={draft} error={save.error} onChange={change} />
      {[...others].map(([name, value]) => (
        <Note key={name} tone="warn">
          {fieldWord(name)} was changed to “{value === '' ? 'empty' : value}” while you edited it. Saving
          replaces that.
        </Note>
      ))}
      {save.error !== null && !isOfField(save.error) && <ErrorNote error={save.error} />}
      {isDirty && (
        <div className={`row ${classes.save}`}>
          <Button type="submit" loading={save.isPending}>
            Save changes
          </Button>
          <Button
            variant="default"
            onClick={() => {
              discard();
              setDiscards(discards + 1);
            }}
          >
            Discard changes
          </Button>
        </div>
      )}
    </form>
  );
}

function isOfField(error: Error): boolean {
  return error instanceof ApiError && error.errors.some(({ pointer }) => pointer.startsWith('/patch/'));
}
