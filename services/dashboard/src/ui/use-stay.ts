import { useEffect, useState } from 'react';

/**
 * While `held`, Back stays where it is, and the browser asks before it reloads or leaves: for what is shown once. Returns
 * whether somebody tried to go back meanwhile. A second Back right behind the first may go: browsers pass over entries of the
 * history that were made without a click in between.
 */
export function useStay(held: boolean): boolean {
  const [tried, setTried] = useState(false);
  useEffect(() => {
    if (!held) return undefined;
    // Back leaves this entry for the one below it, which is the same page.
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
      // Unless the page has been left already, as where the session has ended.
      if (window.history.state?.stay === true) window.history.back();
    };
  }, [held]);
  return held && tried;
}
