import { useEffect, useState } from 'react';

/**
 * While `held`, Back stays on the page, and the browser asks before it reloads or leaves. Used for values that are
 * shown once. Returns whether the user tried to go back. A second Back right after the first may leave: browsers skip
 * history entries that were added without a click in between.
 */
export function useStay(held: boolean): boolean {
  const [tried, setTried] = useState(false);
  useEffect(() => {
    if (!held) return undefined;
    // Back goes to the entry below this one, which is the same page.
    const push = () => window.history.pushState({ ...window.history.state, stay: true }, '');
    const onBack = () => {
      push();
      setTried(true);
    };
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    push();
    window.addEventListener('popstate', onBack);
    window.addEventListener('beforeunload', onLeave);
    return () => {
      window.removeEventListener('popstate', onBack);
      window.removeEventListener('beforeunload', onLeave);
      // The page may already have changed, for example because the session has ended.
      if (window.history.state?.stay === true) window.history.back();
    };
  }, [held]);
  return held && tried;
}
