/**
 * Returns whether the window is so narrow that the deliveries are shown as cards. The style sheet has the same width.
 */
export function isNarrow(): boolean {
  return window.matchMedia('(max-width: 52rem)').matches;
}
