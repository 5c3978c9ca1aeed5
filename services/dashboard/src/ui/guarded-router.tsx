import { type ReactNode, startTransition, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Navigator,
  parsePath,
  Router,
  type To,
} from 'react-router';
import { AskToDiscard } from './modal.tsx';
import { losesUnsaved } from './unsaved.ts';

const history = createBrowserHistory({ v5Compat: true });

/** How the next step through the history is taken: with a question if a form is lost, as one back to the form, or without a question. */
type NextStep = 'asked' | 'ours' | 'allowed';

/**
 * React Router's BrowserRouter, which asks before a link, a shortcut or the Back button loses a form that is not saved. Its own way to ask
 * needs one of its data routers, which would add 18 KB to the first load.
 */
export function GuardedRouter({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState(() => ({ action: history.action, location: history.location }));
  const [left, setLeft] = useState<{ readonly leave: () => void } | null>(null);
  const place = useRef(history.location);
  const nextStep = useRef<NextStep>('asked');

  useLayoutEffect(
    () =>
      history.listen(({ action, location, delta }) => {
        const step = nextStep.current;
        nextStep.current = 'asked';
        if (step === 'ours') return;
        const isAsked = action === 'POP' && step === 'asked' && delta !== null;
        if (isAsked && losesUnsaved(place.current, location)) {
          // The browser has left already, so this goes back to the form.
          nextStep.current = 'ours';
          history.go(-delta);
          const leave = () => {
            nextStep.current = 'allowed';
            history.go(delta);
          };
          setLeft({ leave });
          return;
        }
        place.current = location;
        setLeft(null);
        startTransition(() => setShown({ action, location }));
      }),
    [],
  );

  const navigator = useMemo<Navigator>(() => {
    const guarded = (write: Navigator['push']) => (to: To, state?: unknown) => {
      const { pathname = place.current.pathname, search = '' } = typeof to === 'string' ? parsePath(to) : to;
      const leave = () => write(to, state);
      if (losesUnsaved(place.current, { pathname, search })) setLeft({ leave });
      else leave();
    };
    const { createHref, encodeLocation, go, push, replace } = history;
    return { createHref, encodeLocation, go, push: guarded(push), replace: guarded(replace) };
  }, []);

  const discard = () => {
    setLeft(null);
    left?.leave();
  };
  return (
    <Router location={shown.location} navigationType={shown.action} navigator={navigator}>
      {children}
      {left !== null && <AskToDiscard opened onDiscard={discard} onKeep={() => setLeft(null)} />}
    </Router>
  );
}
