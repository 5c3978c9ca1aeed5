import './mantine-dialogs.css';
import { Button, Drawer as MantineDrawer, Modal as MantineModal } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import classes from './dialog.module.css';
import { AwayIsShown } from './states.tsx';
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
        <AwayIsShown value={false}>
          <UnsavedInDialog value={forms}>{children}</UnsavedInDialog>
        </AwayIsShown>
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
      <div className="stack">
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

/** From the first opening quotation mark to the last closing one, because a name may have quotation marks too. */
const QUOTED = /^(.*?“)(.*)(”.*)$/su;

/** Ends an isolate, also that of the element around it. */
const ENDS_ISOLATE = /\u2069/g;

/**
 * A title with its quoted name in an isolate. Without it, characters of a name that set the direction of writing, such as U+202E,
 * would reorder the words around it.
 */
function isolateName(title: string): ReactNode {
  const [, before, name, after] = QUOTED.exec(title) ?? [];
  if (name === undefined) return title;
  return (
    <>
      {before}
      <bdi>{name.replace(ENDS_ISOLATE, '')}</bdi>
      {after}
    </>
  );
}

const TOASTS = '[data-toasts]';

/**
 * Mantine keeps Tab inside of a dialog. This lets Tab go on to the toasts after the last field of the dialog, and from them back to
 * the first one. Returns how to stop.
 */
function tabToToasts(isTopmost: () => boolean): () => void {
  let before: Element | null = null;
  /** The ends of the dialog, as Mantine found them when Tab went past one. */
  let ends: { readonly first: Element | null; readonly last: Element | null } = { first: null, last: null };

  const isTab = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent) =>
    key === 'Tab' && !(altKey || ctrlKey || metaKey) && isTopmost();
  const onCapture = (event: KeyboardEvent) => {
    before = document.activeElement;
    const controls = controlsOfToasts();
    const at = controls.indexOf(before as HTMLElement);
    if (at === -1 || !isTab(event)) return;
    event.preventDefault();
    const outside = event.shiftKey ? ends.last : ends.first;
    focusOn(controls[at + (event.shiftKey ? -1 : 1)] ?? outside);
  };
  const onBubble = (event: KeyboardEvent) => {
    const now = document.activeElement;
    if (!isTab(event) || !event.defaultPrevented || before === null || now === null) return;
    if (now.closest(TOASTS) !== null || before.closest(TOASTS) !== null) return;
    if (follows(before, now) !== event.shiftKey) return;
    ends = event.shiftKey ? { first: before, last: now } : { first: now, last: before };
    focusOn(controlsOfToasts().at(event.shiftKey ? -1 : 0) ?? now);
  };
  window.addEventListener('keydown', onCapture, { capture: true });
  window.addEventListener('keydown', onBubble);
  return () => {
    window.removeEventListener('keydown', onCapture, { capture: true });
    window.removeEventListener('keydown', onBubble);
  };
}

function controlsOfToasts(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`${TOASTS} :is(a[href], button)`)];
}

function follows(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function focusOn(element: Element | null): void {
  const target = element?.isConnected === true ? element : document.querySelector('[role=dialog]');
  (target as HTMLElement | null)?.focus();
}
