/** Returns whether keys go into a text field, and are not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable)
  );
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}
