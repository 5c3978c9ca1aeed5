const TOASTS = '[data-toasts]';

/**
 * Mantine keeps Tab inside of a dialog. This lets Tab go on to the toasts after the last field of the dialog, and from them back to
 * the first one. Returns how to stop.
 */
export function tabToToasts(isTopmost: () => boolean): () => void {
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
