import { hash } from 'node:crypto';

/**
 * The id of the delivery that was admitted with a sequence number. It is derived, so that a byte-identical request can name
 * the first delivery by its sequence number, and Redis stores nothing else of it.
 */
export function admittedDeliveryId(sourceId: string, sequence: number): string {
  return derive(`${sourceId}:${sequence}`);
}

/** The id of any other delivery: a rejected one, or a duplicate of an admitted one. */
export function otherDeliveryId(requestId: string): string {
  return derive(requestId);
}

function derive(seed: string): string {
  return `dlv_${hash('sha256', seed, 'hex').slice(0, 32)}`;
}
