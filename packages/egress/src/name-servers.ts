import { createRecently } from './recently.ts';

/** No name server answered for any name, so nothing was sent, and nobody knows about the host. */
class NameServersAwayError extends Error {
  readonly code = 'NAME_SERVERS_AWAY';

  constructor(cause: Error) {
    super('no name server answers', { cause });
  }
}

/** Whether the name servers of this machine answer, as its lookups show. */
export interface NameServers {
  /** A name was resolved. */
  answered(): void;
  /** The error of a lookup, or the one that blames the name servers. */
  blamed(error: NodeJS.ErrnoException): Error;
}

/** A name server that has answered within this is not away. Milliseconds. */
const RECENT_MS = 30_000;

/**
 * EAI_AGAIN has two causes: our name servers are away, or those of one domain are. If another name was resolved just now, it is the
 * domain.
 */
export function createNameServers(): NameServers {
  const { happened: answered, isRecent } = createRecently(RECENT_MS);
  return {
    answered,
    blamed(error) {
      if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') answered();
      const isDomain = error.code !== 'EAI_AGAIN' || isRecent();
      return isDomain ? error : new NameServersAwayError(error);
    },
  };
}
