import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { sluiceObject, sluiceRequest } from '../../shared/sluice-request';
import { rememberSubscription } from './known-subscriptions';
import { type Kept, placeOf, readNotes } from './notes';

/**
 * A forged message asks too, so it is asked at most this often. Sluice sends a message that was rejected again after 5
 * seconds.
 */
const ASKED_AGAIN_AFTER_MS = 4_000;
/** For each of two requests. Sluice waits 15 seconds for the response of n8n. */
const TIMEOUT_MS = 5_000;

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
	const answer = readSubscription(node).catch((error: Error) => {
		node.logger.warn(`Sluice did not return the secret of the subscription. ${error.message}`);
		return undefined;
	});
	asked.set(place, { at: nowMs, answer });
	return answer;
}

/**
 * A create with the same fields changes nothing, and returns the secret. It keeps the pause of an admin, and that of a client. It
 * ends the pause of a receiver that failed, which is right: n8n receives.
 */
async function readSubscription(node: IWebhookFunctions): Promise<Kept | undefined> {
	const url = readNotes(node)?.url ?? (node.getNodeWebhookUrl('default') as string);
	const { body } = await sluiceRequest(node, {
		...{ method: 'GET', path: '/webhooks', timeoutMs: TIMEOUT_MS },
		qs: { url },
	});
	const [found] = (body as { data?: IDataObject[] } | undefined)?.data ?? [];
	if (found === undefined) return undefined;
	const { events, filter, ordered, reason } = found;
	const { id, secret } = await sluiceObject(node, {
		...{ method: 'POST', path: '/webhooks', timeoutMs: TIMEOUT_MS },
		body: {
			...{ target_url: url, events, filter, ordered },
			...(reason === 'by_client' && { active: false }),
		},
	});
	const kept = { id: String(id), url, secret: String(secret) };
	rememberSubscription(node, Promise.resolve(kept));
	return kept;
}
