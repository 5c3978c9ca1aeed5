import type { RateState } from '@sluice/admission/verdict';
import type { Refusal } from './refusal.ts';

/** The content of a response. */
export type Reply =
  | {
      readonly kind: 'accepted';
      readonly deliveryId: string;
      readonly duplicate: boolean;
      readonly rate: RateHeaders;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly rate?: RateHeaders };

/** The source's rate and the remaining requests. Every response to a signed request has them. */
export interface RateHeaders {
  readonly state: RateState;
  readonly perSecond: number;
  readonly burst: number;
}
