/** Generous, because a running store responds within milliseconds. */
export const CONNECT_TIMEOUT_MS = 3000;

/** Registers what closes a connection at the end of the command. The last one registered runs first. */
export type OnClose = (release: () => Promise<unknown> | unknown) => void;

/** Does work, and then closes what it has opened, the last first. */
export async function withReleases<T>(work: (onClose: OnClose) => Promise<T>): Promise<T> {
  const releases: Parameters<OnClose>[0][] = [];
  try {
    return await work((release) => void releases.push(release));
  } finally {
    for (const release of releases.reverse()) await release();
  }
}

/** The same result for every call. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
