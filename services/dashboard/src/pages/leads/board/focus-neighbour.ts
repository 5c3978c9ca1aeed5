/** Moves the focus to the next card in the direction of an arrow key. Returns whether the key is an arrow key. */
export function focusNeighbour(card: HTMLElement, key: string): boolean {
  const columns = [...document.querySelectorAll('[data-column]')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-lead]'),
  ]);
  const column = columns.findIndex((cards) => cards.includes(card));
  const place = columns[column]?.indexOf(card) ?? 0;
  switch (key) {
    case 'ArrowDown':
      columns[column]?.[place + 1]?.focus();
      return true;
    case 'ArrowUp':
      columns[column]?.[place - 1]?.focus();
      return true;
    case 'ArrowRight':
      cardAt(columns.slice(column + 1), place)?.focus();
      return true;
    case 'ArrowLeft':
      cardAt(columns.slice(0, column).reverse(), place)?.focus();
      return true;
    default:
      return false;
  }
}

/** The card at a place of the first column that has cards, or its last card. */
function cardAt(columns: readonly (readonly HTMLElement[])[], place: number): HTMLElement | undefined {
  const cards = columns.find(({ length }) => length > 0) ?? [];
  return cards[Math.min(place, cards.length - 1)];
}
