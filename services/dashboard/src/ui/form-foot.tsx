import { Button } from '@mantine/core';
import dialog from './dialog.module.css';
import { ErrorNote } from './states.tsx';

interface FormFootProps {
  /** Names the action: "Add source", never "OK". */
  readonly submit: string;
  readonly pending: boolean;
  /** null if there is no error, or if a field already shows it. */
  readonly error: Error | null;
  readonly onCancel: () => void;
}

/** The end of every form in a dialog: error, cancel and submit. */
export function FormFoot({ submit, pending, error, onCancel }: FormFootProps) {
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        {/* A request that was sent cannot be cancelled. */}
        <Button variant="default" disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={pending}>
          {submit}
        </Button>
      </div>
    </>
  );
}
