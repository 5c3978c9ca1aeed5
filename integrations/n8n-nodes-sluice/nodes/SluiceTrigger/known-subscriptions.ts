import { type Kept, type NotedNode, placeOf } from './notes';

/**
 * By workflow, node and kind: the subscription that this process has made or read last. n8n saves the static data some time after
 * `create` has returned, and Sluice sends what waits at once.
 */
const known = new Map<string, Promise<Kept>>();

/** Remembers a subscription, also while it is being made. */
export function rememberSubscription(node: NotedNode, kept: Promise<Kept>): void {
	known.set(placeOf(node), kept);
}

/** Waits for a create that is in progress. Undefined: this process knows none, or the create failed. */
export async function knownSubscription(node: NotedNode): Promise<Kept | undefined> {
	return known.get(placeOf(node))?.catch(() => undefined);
}

/** Forgets it, because it was deleted, or because its secret was rotated. */
export function forgetSubscription(node: NotedNode): void {
	known.delete(placeOf(node));
}
