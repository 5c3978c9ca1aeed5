import { Button } from '@mantine/core';
import dialog from './dialog.module.css';
import { ErrorNote } from './states.tsx';

interface FormFootProps {
  /** Names the act: "Create source", never "OK". */
  readonly submit: string;
  readonly pending: boolean;
  /** null where there is none, or where a field says it already. */
  readonly error: Error | null;
  readonly onCancel: () => void;
}

/** How every form in a dialog ends: what went wrong, the way out, and the act. */
export function FormFoot({ submit, pending, error, onCancel }: FormFootProps) {
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={pending}>
          {submit}
        </Button>
      </div>
    </>
  );
}
