/** Places for requests to each origin. The first request to ask gets the next place. */
export interface OriginSlots {
  /** Resolves to true once there is a place, or to false after `withinMs`. */
  take(origin: string, withinMs: number): Promise<boolean>;
  /** Gives a place to the next request. */
  leave(origin: string): void;
}

interface Places {
  used: number;
  readonly waiting: Set<() => void>;
}

const TAKEN = Promise.resolve(true);

/**
 * A request that waits for a connection must wait here, and not in the HTTP client. The client learns only with the connection in hand
 * that a lease has ended, and to refuse it then destroys the connection.
 */
export function createOriginSlots(most: number): OriginSlots {
  const origins = new Map<string, Places>();
  return {
    take(origin, withinMs) {
      const places = origins.get(origin) ?? { used: 0, waiting: new Set() };
      origins.set(origin, places);
      if (places.used < most) {
        places.used += 1;
        return TAKEN;
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          places.waiting.delete(give);
          resolve(false);
        }, withinMs);
        const give = () => {
          clearTimeout(timer);
          resolve(true);
        };
        places.waiting.add(give);
      });
    },
    leave(origin) {
      const places = origins.get(origin);
      if (places === undefined) return;
      const [next] = places.waiting;
      if (next !== undefined) {
        places.waiting.delete(next);
        next();
        return;
      }
      places.used -= 1;
      if (places.used === 0) origins.delete(origin);
    },
  };
}
