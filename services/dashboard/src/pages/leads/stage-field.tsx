import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useRef, useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { randomId } from '../../api/random-id.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import classes from './leads.module.css';

interface StageFieldProps {
  readonly lead: LeadItem;
  readonly stages: readonly StageItem[];
}

/** Moves a lead to another stage, or adds a note without a move. The note goes into its history. */
export function StageField({ lead, stages }: StageFieldProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  // A move that is sent again after an error keeps its id, so that its note is stored once.
  const sent = useRef({ text: '', move_id: '' });
  const noteField = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const move = useWrite(ROUTES.leads.move, [ROUTES.leads.list, ROUTES.leads.show, ROUTES.leads.history]);
  const stage = chosen ?? lead.stage;
  const isMove = stage !== lead.stage;
  const canSave = isMove || note.trim() !== '';
  useUnsaved(canSave);
  const nameOf = (id: string) => stages.find((one) => one.id === id)?.name ?? id;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const body = { stage, ...(note.trim() === '' ? {} : { note: note.trim() }) };
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, move_id: randomId() };
    move.mutate(
      { params: { leadId: lead.id }, body: { ...body, move_id: sent.current.move_id } },
      {
        onSuccess: () => {
          sent.current = { text: '', move_id: '' };
          // The user may have chosen or typed more meanwhile.
          setChosen((now) => (now === chosen ? null : now));
          setNote((now) => (now === note ? '' : now));
          // The button disappears, and the focus must not disappear with it.
          noteField.current?.focus();
          toast(isMove ? `Moved to ${nameOf(stage)}.` : 'Note added to the history.');
        },
      },
    );
  };
  const choices = stages.filter((one) => one.retiring_to === null || one.id === lead.stage);
  const stageError = fieldError(move.error, '/stage');
  return (
    <form className={classes.move} onSubmit={onSubmit}>
      <NativeSelect
        label="Stage"
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        value={stage}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={stageError}
      />
      <TextInput
        ref={noteField}
        className={classes.note}
        label="Note for the history"
        placeholder="Optional"
        value={note}
        maxLength={1000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {canSave && (
        <Button type="submit" loading={move.isPending}>
          {isMove ? 'Move' : 'Add note'}
        </Button>
      )}
      {move.error !== null && stageError === undefined && <ErrorNote error={move.error} />}
    </form>
  );
}
