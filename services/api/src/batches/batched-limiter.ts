import type { ManyLimiter, Rate, RateLimiter, Taken } from '@sluice/admission/rate-limiter';
import { inBatches } from './in-batches.ts';

/** Limit of one batch: more than an API server works on at once. */
const MOST = 200;

interface Asked {
  readonly what: string;
  readonly who: string;
  readonly rate: Rate;
}

/** A rate limiter that counts the concurrent requests of one key in one call of Redis, each for itself. */
export function batchedLimiter(takeMany: ManyLimiter): RateLimiter {
  const take = inBatches<Asked, Taken>({ run: (asked) => takeAll(takeMany, asked), maxItems: MOST });
  return (what, who, rate) => take({ what, who, rate });
}

async function takeAll(takeMany: ManyLimiter, asked: readonly Asked[]): Promise<readonly Taken[]> {
  const taken = new Array<Taken>(asked.length);
  await Promise.all(
    [...placesByLimit(asked).values()].map(async (places) => {
      const { what, who, rate } = asked[places[0] as number] as Asked;
      const own = await takeMany(what, who, rate, places.length);
      places.forEach((place, i) => {
        taken[place] = own[i] as Taken;
      });
    }),
  );
  return taken;
}

/** The indexes of the requests that count towards each limit. */
function placesByLimit(asked: readonly Asked[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  asked.forEach(({ what, who, rate }, index) => {
    const limit = JSON.stringify([what, who, rate]);
    const own = places.get(limit);
    if (own === undefined) places.set(limit, [index]);
    else own.push(index);
  });
  return places;
}
