/// <reference path="./cluster-key-slot.d.ts" />

import calculateSlot from 'cluster-key-slot';

/** The slot of a Redis Cluster that a hash tag's content is in. */
export function hashSlot(tag: string): number {
  return calculateSlot(tag);
}
