/** Is the window so narrow that the list of deliveries becomes one of cards? Its style sheet says the same width. */
export function isNarrow(): boolean {
  return window.matchMedia('(max-width: 52rem)').matches;
}
