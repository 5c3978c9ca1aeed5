import './mantine-dialogs.css';
import { Button, Drawer as MantineDrawer, Modal as MantineModal } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import classes from './dialog.module.css';
import { isolateName } from './isolated-names.tsx';
import { tabToToasts } from './tab-to-toasts.ts';
import { UnsavedInDialog, useUnsaved } from './unsaved.ts';

interface GuardedProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** False: it has no cross, and neither Escape nor a click outside closes it. Use it while a value that is shown once is made or shown. */
  readonly closable?: boolean;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  /** Whether the form that renders this dialog has changes. Forms inside of it call `useUnsaved`. */
  readonly unsaved?: boolean;
}

/** Open dialogs and drawers, the topmost last. */
const stack: string[] = [];
const handled = new WeakSet<Event>();

/**
 * Asks before Escape, the cross or a click outside loses what was typed. Escape closes the topmost dialog only; Mantine
 * would close those below it too. Import `Modal` and `Drawer` from modal.tsx, which loads this file as a separate chunk.
 */
function guarded<P extends GuardedProps>(Dialog: ComponentType<P>) {
  return function Guarded({ unsaved = false, closable = true, ...props }: P) {
    const { opened, onClose, title, children } = props;
    const id = useId();
    const [forms] = useState(() => new Set<symbol>());
    const [asking, setAsking] = useState(false);
    useUnsaved(unsaved && opened, { inDialog: true });
    const close = () => (unsaved || forms.size > 0 ? setAsking(true) : onClose());
    const onEscape = useEffectEvent((event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || handled.has(event) || stack.at(-1) !== id) return;
      if ((event.target as Element | null)?.getAttribute?.('data-mantine-stop-propagation') === 'true')
        return;
      handled.add(event);
      if (closable) close();
    });
    useEffect(() => {
      if (!opened) return undefined;
      stack.push(id);
      const stopTabs = tabToToasts(() => stack.at(-1) === id);
      const onKey = (event: KeyboardEvent) => onEscape(event);
      window.addEventListener('keydown', onKey, { capture: true });
      return () => {
        stack.splice(stack.lastIndexOf(id), 1);
        stopTabs();
        window.removeEventListener('keydown', onKey, { capture: true });
      };
    }, [opened, id]);
    const discard = () => {
      setAsking(false);
      onClose();
    };
    const fixed = closable ? {} : { withCloseButton: false, closeOnClickOutside: false };
    const titled = typeof title === 'string' ? isolateName(title) : title;
    return (
      <Dialog {...(props as unknown as P)} {...fixed} title={titled} closeOnEscape={false} onClose={close}>
        <UnsavedInDialog value={forms}>{children}</UnsavedInDialog>
        {asking && <AskToDiscard opened onDiscard={discard} onKeep={() => setAsking(false)} />}
      </Dialog>
    );
  };
}

interface AskToDiscardProps {
  readonly opened: boolean;
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

export function AskToDiscard({ opened, onDiscard, onKeep }: AskToDiscardProps) {
  return (
    <Modal opened={opened} onClose={onKeep} title="Discard your changes?" size="sm">
      <div className={classes.body}>
        <p>What you typed is not saved.</p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onKeep} data-autofocus>
            Keep editing
          </Button>
          <Button color="danger" onClick={onDiscard}>
            Discard changes
          </Button>
        </div>
      </div>
    </Modal>
  );
}

export const Modal = guarded<ComponentPropsOf<typeof MantineModal>>(MantineModal);
export const Drawer = guarded<ComponentPropsOf<typeof MantineDrawer>>(MantineDrawer);

type ComponentPropsOf<T> = T extends ComponentType<infer P> ? P & GuardedProps : never;
