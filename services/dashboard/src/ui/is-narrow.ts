/** Is the window so narrow that tables become lists of cards? The style sheets say the same width. */
export function isNarrow(): boolean {
  return window.matchMedia('(max-width: 52rem)').matches;
}
