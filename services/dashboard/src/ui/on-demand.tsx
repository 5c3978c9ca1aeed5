import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
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

interface DialogProps {
  readonly opened: boolean;
}

/** The page loads first. Milliseconds. */
const IDLE_WITHIN_MS = 2000;

interface DialogOptions {
  /** It is mounted only while it is open, so that it begins again each time. */
  readonly afresh?: boolean;
}

/**
 * A dialog or drawer as a separate chunk, so that pages load without it. It is fetched while the browser is idle, so that it
 * opens at once; and immediately if it is opened before. Render it while it is closed too.
 */
export function dialogOnDemand<P extends object>(
  load: Load<P>,
  { afresh = false }: DialogOptions = {},
): (props: P & DialogProps) => ReactNode {
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
    return Component === undefined || (afresh && !opened) ? null : <Component {...props} />;
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

type Load<P> = () => Promise<ComponentType<P>>;

/** A component that is fetched as a separate chunk, once. */
interface Chunk<P> {
  /** Undefined until the chunk has arrived. */
  readonly loaded: () => ComponentType<P> | undefined;
  /** Fetches it. After a failure the next call tries again. */
  readonly start: () => Promise<unknown>;
}

function createChunk<P>(load: Load<P>): Chunk<P> {
  let loaded: ComponentType<P> | undefined;
  let loading: Promise<unknown> | undefined;
  return {
    loaded: () => loaded,
    start() {
      loading ??= load().then(
        (component) => {
          loaded = component;
        },
        (error) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
    },
  };
}
