import { hash } from 'node:crypto';

/**
 * The id of the delivery that was admitted with a sequence number. Derived, so that a byte-identical request
 * can name the first delivery from the sequence number alone, and nothing more has to be remembered of it.
 */
export function admittedDeliveryId(sourceId: string, sequence: number): string {
  return derive(`${sourceId}:${sequence}`);
}

/** The id of any other delivery: refused, or the repetition of an admitted one. */
export function otherDeliveryId(requestId: string): string {
  return derive(requestId);
}

function derive(seed: string): string {
  return `dlv_${hash('sha256', seed, 'hex').slice(0, 32)}`;
}
