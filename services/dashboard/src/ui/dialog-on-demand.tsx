import { type ReactNode, useEffect, useState } from 'react';
import { createChunk, type Load } from './chunk.ts';

interface DialogProps {
  readonly opened: boolean;
}

/** The page loads first. Milliseconds. */
const IDLE_WITHIN_MS = 2000;

/**
 * A dialog or drawer as a separate chunk, so that pages load without it. It is fetched while the browser is idle, so that it
 * opens at once; and immediately if it is opened before.
 */
export function dialogOnDemand<P extends object>(load: Load<P>): (props: P & DialogProps) => ReactNode {
  const { loaded, start } = createChunk(load);
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each chunk, when its module is loaded; never while rendering.
  return function Placeholder(props: P & DialogProps) {
    const { opened } = props;
    const [error, setError] = useState<unknown>();
    const [, setIsLoaded] = useState(loaded() !== undefined);
    useEffect(() => {
      if (loaded() !== undefined) return undefined;
      const arrived = () => setIsLoaded(true);
      if (opened) {
        void start().then(arrived, setError);
        return undefined;
      }
      // A failure counts once the dialog is opened, which tries again.
      return whenIdle(() => void start().then(arrived, () => {}));
    }, [opened]);
    if (error !== undefined) throw error;
    const Component = loaded();
    return Component === undefined ? null : <Component {...props} />;
  };
}

/** Calls back when the browser is idle. Returns how to cancel it. Safari has no idle callbacks. */
function whenIdle(call: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(call, IDLE_WITHIN_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(call, { timeout: IDLE_WITHIN_MS });
  return () => cancelIdleCallback(handle);
}
