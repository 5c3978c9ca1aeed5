const TRIES = 10;

/** Focuses a row. A row out of view appears some frames after the list scrolled to it. */
export function focusRow(deliveryId: string, tries = TRIES): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(deliveryId)}"]`);
  if (row !== null) row.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(deliveryId, tries - 1));
}
