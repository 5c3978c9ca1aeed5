import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import dialog from '../../ui/dialog.module.css';
import { isNameTyped } from '../../ui/is-name-typed.ts';
import { Modal } from '../../ui/modal.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { DeletionEffect, type Recent } from './deletion-effect.tsx';

type What = 'keep' | 'delete';

interface DeleteDialogProps {
  readonly noun: 'source' | 'channel';
  readonly contents: 'event' | 'conversation';
  readonly of: Recent & { readonly name: string };
  /** Undefined while it is loading. */
  readonly count: { readonly count: number; readonly more: boolean } | undefined;
  readonly effects: Readonly<Record<What, string>>;
  /** The immediate effect, as the end of a sentence. */
  readonly now: string;
  readonly remove: { readonly error: Error | null; readonly isPending: boolean };
  readonly onDelete: (what: What) => void;
  readonly onClose: () => void;
}

/**
 * The user chooses what becomes of the events or conversations, and types the name. It stays open while it deletes, so that an
 * error is seen.
 */
export function DeleteDialog({ noun, contents, of, effects, remove, ...props }: DeleteDialogProps) {
  const { count, now, onDelete, onClose } = props;
  const [what, setWhat] = useState<What>('keep');
  const [typed, setTyped] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onDelete(what);
  };
  return (
    <Modal opened onClose={onClose} title={`Delete “${of.name}”?`} size="md" closable={!remove.isPending}>
      <form className={dialog.body} onSubmit={onSubmit}>
        <DeletionEffect noun={noun} of={of} now={now} />
        <NativeSelect
          label={`What becomes of ${contentsInWords(contents, count)}`}
          description={effects[what]}
          data={[
            { value: 'keep', label: `Keep the ${contents}s` },
            { value: 'delete', label: `Delete the ${contents}s` },
          ]}
          value={what}
          onChange={(event) => setWhat(event.currentTarget.value as What)}
        />
        <TextInput
          label={`Type the name of the ${noun} to confirm`}
          placeholder={of.name}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {remove.error !== null && <ErrorNote error={remove.error} />}
        <div className={dialog.buttons}>
          <Button variant="default" disabled={remove.isPending} onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            type="submit"
            color="danger"
            loading={remove.isPending}
            disabled={!isNameTyped(typed, of.name)}
          >
            Delete {noun}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function contentsInWords(contents: string, known: DeleteDialogProps['count']): string {
  if (known === undefined) return `its ${contents}s`;
  const { count, more } = known;
  if (count === 1) return `its 1 ${contents}`;
  return `its ${count.toLocaleString('en')}${more ? ' or more' : ''} ${contents}s`;
}
