import { type ReactNode, useEffect, useState } from 'react';
import { createChunk, type Load } from './chunk.ts';
import { RowsSkeleton } from './states.tsx';

interface OnDemand<P> {
  (props: P & object): ReactNode;
  /** Fetches the chunk before the component is first shown. */
  readonly start: () => Promise<unknown>;
}

/**
 * Loads a component as a separate chunk. React’s lazy with Suspense keeps a placeholder for 300 ms even if the chunk
 * arrives sooner. This one shows the component as soon as it can.
 */
export function onDemand<P extends object>(load: Load<P>): OnDemand<P> {
  const { loaded, start } = createChunk(load);
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each chunk, when its module is loaded; never while rendering.
  function Placeholder(props: P) {
    const [error, setError] = useState<unknown>();
    const [, setIsLoaded] = useState(loaded() !== undefined);
    useEffect(() => {
      if (loaded() === undefined) void start().then(() => setIsLoaded(true), setError);
    }, []);
    if (error !== undefined) throw error;
    const Component = loaded();
    return Component === undefined ? <RowsSkeleton /> : <Component {...props} />;
  }
  return Object.assign(Placeholder, { start });
}
