import { Button, NativeSelect } from '@mantine/core';
import type { Overlap } from '@sluice/contract/account/overlap';
import { type ReactNode, useEffect, useState } from 'react';
import { Checkbox } from './checkbox.ts';
import { CopyTextButton, downloadText } from './copy.tsx';
import dialog from './dialog.module.css';
import { Form } from './form.tsx';
import { Icon } from './icons.tsx';
import { Modal } from './modal.tsx';
import classes from './secret-text.module.css';
import { Note } from './states.tsx';

interface SecretToCopyProps {
  readonly text: string;
  /** Completes the button “Copy …”. */
  readonly what: string;
  /** The name of its field. */
  readonly label: string;
  /** Offers it as a file too. */
  readonly file?: { readonly name: string; readonly text: string; readonly label: string };
  /** Replaces its field. */
  readonly shown?: ReactNode;
}

/** A secret with buttons that copy and download it. */
export function SecretToCopy({ text, what, label, file, shown }: SecretToCopyProps) {
  return (
    <>
      {shown ?? <SecretText text={text} label={label} />}
      <div className="row">
        <CopyTextButton text={text} what={what} primary autoFocus />
        {file !== undefined && (
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => downloadText(file.name, file.text)}
          >
            {file.label}
          </Button>
        )}
      </div>
    </>
  );
}

interface ShownOnceProps extends SecretToCopyProps {
  /** What it is for. */
  readonly intro: ReactNode;
  /** Names it in the warning: “the key”. null: it can be shown again, so nothing keeps the user here. */
  readonly lost: string | null;
  /** The label of a box that is ticked before the user leaves. */
  readonly saved?: string;
  /** Below the secret. */
  readonly children?: ReactNode;
  /** The label of the button that leads on. */
  readonly done?: string;
  readonly onDone: () => void;
}

/** A secret that is shown once. Back stays here, and says that it would be lost. */
export function ShownOnce({
  intro,
  lost,
  saved,
  children,
  done = 'Done',
  onDone,
  ...secret
}: ShownOnceProps) {
  const [isSaved, setSaved] = useState(false);
  const triedToLeave = useStay(lost !== null && !isSaved);
  const it = `${saved === undefined ? 'Copy' : 'Save'} ${lost?.endsWith('s') ? 'them' : 'it'}`;
  return (
    <div className="stack">
      {intro}
      <SecretToCopy {...secret} />
      {children}
      {saved !== undefined && (
        <Checkbox
          label={saved}
          checked={isSaved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
      )}
      {triedToLeave && (
        <div role="alert">
          <Note tone="warn">
            Going back would lose {lost}. {it}, then{' '}
            {saved === undefined ? `choose “${done}”` : `tick “${saved}”`}.
          </Note>
        </div>
      )}
      <div className={dialog.buttons}>
        <Button disabled={saved !== undefined && !isSaved} onClick={onDone}>
          {done}
        </Button>
      </div>
    </div>
  );
}

interface RotateSecretProps<Overlap extends string> {
  /** Names the secret: "secret of replies". */
  readonly secret: string;
  /** The messages that it signs: "replies". */
  readonly signed: string;
  /** The behaviour of the receiver after a rotation. Absent: its admin must enter the new secret. */
  readonly note?: string | undefined;
  /** The value of no overlap. */
  readonly none: Overlap;
  readonly rotate: { readonly isPending: boolean; readonly error: Error | null; readonly reset: () => void };
  readonly onRotate: (overlap: Overlap | '1h' | '24h') => void;
  /** Undefined before the rotation. */
  readonly made: string | undefined;
  /** Shows the new secret. */
  readonly children: (made: string, onDone: () => void) => ReactNode;
}

/** A button that rotates the secret of what Sluice sends. Its dialog asks for the overlap, then shows the new secret. */
export function RotateSecret<Overlap extends string>(props: RotateSecretProps<Overlap>) {
  const { secret, signed, note, none, rotate, onRotate, made, children } = props;
  const [opened, setOpened] = useState(false);
  const [overlap, setOverlap] = useState<Overlap | '1h' | '24h'>('24h');
  const close = () => {
    setOpened(false);
    rotate.reset();
  };
  const title = made === undefined ? `Rotate ${secret}` : `The new ${secret} is active`;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Rotate {secret}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        size="lg"
        closable={made === undefined && !rotate.isPending}
      >
        {made === undefined ? (
          <Form
            submit="Rotate now"
            change={rotate}
            onSubmit={() => onRotate(overlap)}
            onCancel={close}
            button={{ color: 'danger' }}
          >
            <p>
              {signed.charAt(0).toUpperCase() + signed.slice(1)} are signed with the new secret immediately.
              During an overlap they have two signatures, so your server can verify them with either secret.
            </p>
            {note !== undefined && <p>{note}</p>}
            <NativeSelect
              label={`Old ${secret}`}
              description={
                overlap === none ? `Your server rejects ${signed} until it has the new secret.` : undefined
              }
              data={[
                { value: '24h', label: 'Signs for 24 more hours' },
                { value: '1h', label: 'Signs for 1 more hour' },
                { value: none, label: 'Stops signing now' },
              ]}
              value={overlap}
              onChange={(event) => setOverlap(event.currentTarget.value as typeof overlap)}
              data-autofocus
            />
          </Form>
        ) : (
          children(made, close)
        )}
      </Modal>
    </>
  );
}

/** Shows a secret. One click selects all of it. */
export function SecretText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore-start lint/a11y: a read-only field that may wrap, which an <input> cannot.
    <code className={classes.secret} role="textbox" aria-readonly aria-label={label} tabIndex={0}>
      {text}
    </code>
    // biome-ignore-end lint/a11y: see above.
  );
}

/**
 * While `held`, Back stays on the page, and the browser asks before it reloads or leaves. Used for values that are
 * shown once. Returns whether the user tried to go back. A second Back right after the first may leave: browsers skip
 * history entries that were added without a click in between.
 */
function useStay(held: boolean): boolean {
  const [tried, setTried] = useState(false);
  useEffect(() => {
    if (!held) return undefined;
    // Back goes to the entry below this one, which is the same page.
    const push = () => window.history.pushState({ ...window.history.state, stay: true }, '');
    const onBack = () => {
      push();
      setTried(true);
    };
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    push();
    window.addEventListener('popstate', onBack);
    window.addEventListener('beforeunload', onLeave);
    return () => {
      window.removeEventListener('popstate', onBack);
      window.removeEventListener('beforeunload', onLeave);
      // The page may already have changed, for example because the session has ended.
      if (window.history.state?.stay === true) window.history.back();
    };
  }, [held]);
  return held && tried;
}

const SHOWN_MS = 30_000;

/** Keeps a secret while it is shown, for 30 s at most. No cache keeps it. */
export function useShownSecret(readSecret: () => Promise<string>) {
  const [secret, setSecret] = useState<string | null>(null);
  useEffect(() => {
    if (secret === null) return;
    const timer = setTimeout(() => setSecret(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [secret]);
  return {
    secret,
    /** Reads the secret without showing it. */
    read: async () => secret ?? (await readSecret()),
    reveal: () => void readSecret().then(setSecret, () => {}),
    hide: () => setSecret(null),
  };
}

/** How long an old secret or key still works after a rotation. */
export const OVERLAP_CHOICES: { readonly value: Overlap; readonly label: string }[] = [
  { value: '0', label: 'Stops working now' },
  { value: '1h', label: 'Works for 1 more hour' },
  { value: '24h', label: 'Works for 24 more hours' },
];
