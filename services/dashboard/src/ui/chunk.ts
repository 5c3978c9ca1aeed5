import type { ComponentType } from 'react';

export type Load<P> = () => Promise<ComponentType<P>>;

/** A component that is fetched as a separate chunk, once. */
interface Chunk<P> {
  /** Undefined until the chunk has arrived. */
  readonly loaded: () => ComponentType<P> | undefined;
  /** Fetches it. After a failure the next call tries again. */
  readonly start: () => Promise<unknown>;
}

export function createChunk<P>(load: Load<P>): Chunk<P> {
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
