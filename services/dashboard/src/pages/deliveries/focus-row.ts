const TRIES = 10;

/** Gives a row the focus; one that was out of sight is there some frames after it was scrolled to. */
export function focusRow(deliveryId: string, tries = TRIES): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(deliveryId)}"]`);
  if (row !== null) row.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(deliveryId, tries - 1));
}
