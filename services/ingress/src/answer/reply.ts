import type { RateState } from '@sluice/admission/admit';
import type { Refusal } from './refusal.ts';

/** What a request is answered with. */
export type Reply =
  | {
      readonly kind: 'accepted';
      readonly deliveryId: string;
      readonly duplicate: boolean;
      readonly rate: RateHeaders;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly rate?: RateHeaders };

/** The source's rate and what is left of it: on every signed answer. */
export interface RateHeaders {
  readonly state: RateState;
  readonly perSecond: number;
  readonly burst: number;
}
