import { type IDataObject, type IWebhookFunctions, type JsonObject, NodeApiError } from 'n8n-workflow';
import { sluiceObject, sluiceRequest } from '../../shared/sluice-request';
import { rememberSubscription } from './known-subscriptions';
import { type Kept, noteOf, placeOf, readNotes } from './notes';

/**
 * A forged message asks too, so after an answer that verified none it is asked at most this often. Sluice sends a message that was
 * rejected again after 5 seconds.
 */
const ASKED_AGAIN_AFTER_MS = 4_000;
/** For each of three requests. Sluice waits 15 seconds for the response of n8n. */
const TIMEOUT_MS = 4_000;
/** For a subscription that is changed between the requests, because n8n publishes the workflow meanwhile. */
const TRIES = 3;
/** The subscription was deleted, or changed, since it was read. */
const CHANGED_MEANWHILE = ['404', '412'];

interface Asked {
	readonly at: number;
	readonly answer: Promise<Kept | undefined>;
}

const asked = new Map<string, Asked>();

/**
 * The subscription as Sluice has it, with its secret. Undefined: there is none, or Sluice does not say. Messages that arrive at the
 * same time ask once.
 */
export function askSluice(node: IWebhookFunctions, nowMs: number): Promise<Kept | undefined> {
	const place = placeOf(node);
	const last = asked.get(place);
	if (last !== undefined && nowMs - last.at < ASKED_AGAIN_AFTER_MS) return last.answer;
	const answer = readUnchanged(node).catch((error: Error) => {
		node.logger.warn(`Sluice did not return the secret of the subscription. ${error.message}`);
		return undefined;
	});
	asked.set(place, { at: nowMs, answer });
	return answer;
}

/** The answer has verified a message. So the next one with another secret may ask at once: the workflow was published again. */
export function askAtOnceNextTime(node: IWebhookFunctions): void {
	asked.delete(placeOf(node));
}

/** Reads it again if it was changed meanwhile, so that a publication under traffic rejects no message. */
async function readUnchanged(node: IWebhookFunctions, tried = 1): Promise<Kept | undefined> {
	try {
		return await readSubscription(node);
	} catch (error) {
		const { httpCode } = error as NodeApiError;
		if (tried >= TRIES || !CHANGED_MEANWHILE.includes(String(httpCode)))
			throw new NodeApiError(node.getNode(), error as JsonObject);
		return readUnchanged(node, tried + 1);
	}
}

/**
 * A create with the same fields changes nothing, and returns the secret. It keeps the pause of an admin, and that of a client. It
 * ends the pause of a receiver that failed, which is right: n8n receives.
 *
 * The workflow can be unpublished, or published with other events, between the requests. So the create has the ETag: Sluice rejects
 * it if the subscription was changed or deleted meanwhile.
 */
async function readSubscription(node: IWebhookFunctions): Promise<Kept | undefined> {
	const url = readNotes(node)?.url ?? (node.getNodeWebhookUrl('default') as string);
	const read = { method: 'GET' as const, timeoutMs: TIMEOUT_MS };
	const list = await sluiceRequest(node, { ...read, path: '/webhooks', qs: { url } });
	const [listed] = (list.body as { data?: IDataObject[] } | undefined)?.data ?? [];
	if (listed === undefined) return undefined;
	const path = `/webhooks/${encodeURIComponent(String(listed.id))}`;
	const found = await sluiceRequest(node, { ...read, path });
	const { events, filter, ordered, reason } = found.body as IDataObject;
	const answer = await sluiceObject(node, {
		...{ method: 'POST', path: '/webhooks', timeoutMs: TIMEOUT_MS },
		ifMatch: found.headers.etag as string | undefined,
		body: {
			...{ target_url: url, events, filter, ordered },
			...(reason === 'by_client' && { active: false }),
		},
	});
	const kept = noteOf(node, url, answer);
	rememberSubscription(node, Promise.resolve(kept));
	return kept;
}
