import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { fieldError } from '../api/api-error.ts';
import dialog from './dialog.module.css';
import { ErrorNote } from './states.tsx';

/** A change that runs, or has failed. */
export interface Change {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface FormProps {
  /** Names the action: "Add source", never "OK". */
  readonly submit: string;
  readonly change: Change;
  /** The pointers of the fields that show their own errors. */
  readonly shown?: readonly string[];
  /** `text` reads a field by its name. */
  readonly onSubmit: (text: (name: string) => string, form: HTMLFormElement) => void;
  /** In a dialog: closes it. */
  readonly onCancel?: () => void;
  /** Whether its button is as wide as the form. */
  readonly wide?: boolean;
  readonly noValidate?: boolean;
  readonly children: ReactNode;
}

/** A form. It ends with the error, unless a field shows it, and with its button. */
export function Form(props: FormProps) {
  const { submit, change, shown = [], onSubmit, onCancel, wide = false, noValidate = false } = props;
  const { isPending, error } = change;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    onSubmit((name) => String(data.get(name) ?? ''), event.currentTarget);
  };
  const isShown = shown.some((pointer) => fieldError(error, pointer) !== undefined);
  return (
    <form className="stack" onSubmit={send} noValidate={noValidate}>
      {props.children}
      {error !== null && !isShown && <ErrorNote error={error} />}
      <div className={onCancel && dialog.buttons}>
        {onCancel !== undefined && (
          // A request that was sent cannot be cancelled.
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={isPending} fullWidth={wide}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
