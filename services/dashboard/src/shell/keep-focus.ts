/** The focus stays within one of these. */
const SCOPES = 'main, [role=dialog]';
const FOCUSABLE =
  ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled, [tabindex="-1"])';
/** The delivery list takes rows out of the document that scroll out of sight. */
const UNTRACKED = '[data-row]';

/** An element that had the focus. For each of its ancestors, from the nearest to the scope: how many focusable elements come before. */
interface Place {
  readonly element: Element;
  readonly scope: Element;
  readonly within: readonly { readonly ancestor: Element; readonly index: number }[];
  readonly path: string;
}

/**
 * Moves the focus to a neighbour when the focused element leaves the page, for example with its row. It would be lost otherwise,
 * and screen readers would begin at the top. Returns how to stop.
 */
export function keepFocus(): () => void {
  /** The last place in each open scope, the innermost last. */
  let places: Place[] = [];
  let isWaiting = false;

  const onFocusIn = ({ target }: FocusEvent) => {
    const around = (target as Element).closest(SCOPES);
    places = places.filter(({ scope }) => scope.isConnected && scope !== around);
    const place = around === null ? undefined : placeOf(target as Element, around);
    if (place !== undefined) places.push(place);
  };
  // A click beside everything takes the focus away on purpose.
  const onPointerDown = () => {
    requestAnimationFrame(() => {
      if (isLost() && places.at(-1)?.element.isConnected === true) places = [];
    });
  };
  const restore = () => {
    isWaiting = false;
    if (!isLost()) return;
    places = places.filter(({ scope, path }) => scope.isConnected && path === window.location.pathname);
    const place = places.at(-1);
    if (place !== undefined) neighbourOf(place).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (isWaiting || !isLost() || places.at(-1)?.element.isConnected !== false) return;
    isWaiting = true;
    // A page or dialog that opens meanwhile moves the focus itself.
    requestAnimationFrame(() => setTimeout(restore));
  });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('pointerdown', onPointerDown);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('pointerdown', onPointerDown);
    observer.disconnect();
  };
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function placeOf(element: Element, scope: Element): Place | undefined {
  if (element === scope || element.closest(UNTRACKED) !== null) return undefined;
  const within = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    within.push({ ancestor: at, index: Math.max(0, focusableIn(at).indexOf(element as HTMLElement)) });
    if (at === scope) break;
  }
  return { element, scope, within, path: window.location.pathname };
}

/** Returns the element that is now at the place: the same, or another in the nearest ancestor that is left and has one. */
function neighbourOf({ element, within, scope }: Place): HTMLElement {
  if (element.isConnected) return element as HTMLElement;
  for (const { ancestor, index } of within) {
    const left = ancestor.isConnected ? focusableIn(ancestor) : [];
    const neighbour = left[Math.min(index, left.length - 1)];
    if (neighbour !== undefined) return neighbour;
  }
  return scope as HTMLElement;
}

function focusableIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
}
