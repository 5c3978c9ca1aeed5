import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

/** Sluice sends a message again before this many others have arrived. */
const REMEMBERED_IDS = 1000;

/** By workflow and node, the ids that this process answered with 2xx. */
const answered = new Map<string, Set<string>>();

/**
 * Whether a message with this id arrived before: Sluice sends it again if no response reached it, or if an admin asks for it.
 * Otherwise its id is remembered.
 *
 * The static data survives a restart. But n8n saves it as a whole, so messages that arrive at the same time, and a
 * publication, overwrite each other's ids. The memory of the process has what was overwritten. An id gets there once n8n has
 * answered with 2xx, so that a message which n8n could not take is not dropped when it comes again.
 */
export function isRepeated(node: IWebhookFunctions, staticData: IDataObject, id: string): boolean {
	const place = `${node.getWorkflow().id} ${node.getNode().id}`;
	const kept = (staticData.seen ?? []) as string[];
	if (kept.includes(id) || answered.get(place)?.has(id)) return true;
	staticData.seen = [...kept, id].slice(-REMEMBERED_IDS);
	const response = node.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode < 300) remember(place, id);
	});
	return false;
}

function remember(place: string, id: string): void {
	const ids = answered.get(place) ?? new Set();
	answered.set(place, ids);
	ids.add(id);
	const [oldest] = ids;
	if (ids.size > REMEMBERED_IDS && oldest !== undefined) ids.delete(oldest);
}
