import { PROBLEMS } from '@sluice/contract/problem';
import type { KeptAnswer } from '@sluice/store/idempotency';
import { type Refusal, refuse } from '../http/result.ts';
import type { PublicResult } from './declare-route.ts';

/**
 * The part of an answer that is kept for replays; undefined if another try may get another answer: 401, 412, 429 and 5xx. If-Match
 * does not name a request, so a client may send it again with the new ETag and the same key. A rejection is kept as its code and our
 * own sentences, which contain no value of the request.
 */
export function keptAnswer(result: PublicResult<unknown>): KeptAnswer | undefined {
  switch (result.outcome) {
    case 'done':
      if (result.target === undefined || result.status === undefined)
        throw new Error('an idempotent route must name its target and status');
      return { status: result.status, target: result.target };
    case 'stream':
      return undefined;
    case 'empty':
      return { status: 204, target: '' };
    case 'refused': {
      const { status } = PROBLEMS[result.code];
      if (status === 401 || status === 412 || status === 429 || status >= 500) return undefined;
      return { code: result.code, detail: result.detail, errors: result.errors ?? [] };
    }
  }
}

/** The rejection in a kept answer. */
export function keptRefusal({ code, detail, errors }: Extract<KeptAnswer, { code: unknown }>): Refusal {
  return refuse(code, detail, errors.length === 0 ? {} : { errors });
}
