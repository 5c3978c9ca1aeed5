import { createRecently } from './recently.ts';

/** No name server answered in time, and it need not be the fault of the domain. Nothing was sent, and nobody knows about the host. */
export class NameServersAwayError extends Error {
  readonly code = 'NAME_SERVERS_AWAY';

  constructor(cause?: Error) {
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

/** The domain has no such name, or no address for it. */
export function isUnknownName({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code);
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
      if (isUnknownName(error)) answered();
      const isDomain = error.code !== 'EAI_AGAIN' || isRecent();
      return isDomain ? error : new NameServersAwayError(error);
    },
  };
}
