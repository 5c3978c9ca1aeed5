import { Button, type ButtonProps } from '@mantine/core';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { errorsOf } from '../api/api-error.ts';
import dialog from './dialog.module.css';
import { ErrorNote } from './states.tsx';
import { useToast } from './toaster.tsx';
import { useUnsaved } from './unsaved.ts';

/** A change that runs, or has failed. */
export interface Change {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface FormProps {
  /** Names the action: "Add source", never "OK". null: the user may only read the fields. */
  readonly submit: string | null;
  readonly change: Change;
  /** The pointers of the fields that show their own errors. One that ends with a slash is the beginning of several. */
  readonly shown?: readonly string[];
  /** `text` reads a field by its name. */
  readonly onSubmit: (text: (name: string) => string, form: HTMLFormElement) => void;
  /** Whether the fields differ from what is stored. Absent: there is nothing stored. */
  readonly isDirty?: boolean;
  /** In a dialog: closes it. Other ways to close it ask, once a field with a name was edited. */
  readonly onCancel?: () => void;
  /** In a dialog: names the button that closes it. */
  readonly cancel?: string;
  /** The look and state of its button. */
  readonly button?: ButtonProps;
  readonly noValidate?: boolean;
  readonly children: ReactNode;
}

/** A form. It ends with the error, unless a field shows it, and with its button. */
export function Form(props: FormProps) {
  const { submit, change, shown = [], onSubmit, onCancel, cancel = 'Cancel', noValidate = false } = props;
  const { isPending, error } = change;
  const { isDirty } = props;
  const toast = useToast();
  const form = useFirstWrong(error);
  const [isEdited, setEdited] = useState(false);
  useUnsaved(isDirty ?? (isEdited && onCancel !== undefined));
  const unedited = useRef('');
  useEffect(() => {
    unedited.current = textOf(form.current);
  }, [form]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isDirty === false) return toast('No changes to save.');
    const data = new FormData(event.currentTarget);
    onSubmit((name) => String(data.get(name) ?? ''), event.currentTarget);
  };
  const isShown = errorsOf(error).some(({ pointer }) =>
    shown.some((one) => (one.endsWith('/') ? pointer.startsWith(one) : pointer === one)),
  );
  return (
    <form
      ref={form}
      className="stack"
      onSubmit={send}
      onChange={() => setEdited(textOf(form.current) !== unedited.current)}
      noValidate={noValidate}
    >
      {props.children}
      {/* Beside the button, which stays in view. */}
      <div className={onCancel && dialog.buttons}>
        {error !== null && !isShown && <ErrorNote error={error} />}
        {onCancel !== undefined && (
          // A request that was sent cannot be cancelled.
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {cancel}
          </Button>
        )}
        {submit !== null && (
          <Button {...props.button} type="submit" loading={isPending}>
            {submit}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The contents of the fields that have a name. */
function textOf(form: HTMLFormElement | null): string {
  return form === null ? '' : JSON.stringify([...new FormData(form)]);
}

/** Focuses the first wrong field once a form was rejected, because it may be far above the button. Returns the ref for the form. */
export function useFirstWrong(error: Error | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error === null) return;
    const wrong = form.current?.querySelector('.mantine-InputWrapper-error');
    wrong?.parentElement?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [error]);
  return form;
}
