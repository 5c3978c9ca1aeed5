import {
	type IDataObject,
	type IExecuteFunctions,
	type JsonObject,
	NodeApiError,
	sleep,
} from 'n8n-workflow';
import { signEvent } from '../../shared/sign-event';

const TRIES = 4;

interface Answer {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: string;
}

/**
 * Sends one event to a source, signed. At 429 and 503 it waits for Retry-After and sends the same bytes again: the same
 * signed request has one effect.
 */
export async function runEvent(
	node: IExecuteFunctions,
	action: string,
	itemIndex: number,
): Promise<IDataObject[]> {
	const { endpointUrl, signingSecret } = await node.getCredentials<{
		endpointUrl: string;
		signingSecret: string;
	}>('sluiceSourceApi', itemIndex);
	const body = JSON.stringify({ action, event: eventOf(node, action, itemIndex) });
	const headers = signEvent(body, signingSecret, Date.now());
	for (let tried = 1; ; tried++) {
		const answer = (await node.helpers.httpRequest({
			method: 'POST',
			url: endpointUrl,
			body,
			headers,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as Answer;
		const parsed = parse(answer.body);
		if (answer.statusCode === 200) return [parsed];
		if (tried < TRIES && (answer.statusCode === 429 || answer.statusCode === 503)) {
			await sleep(Math.min(60, Number(answer.headers['retry-after'] ?? 1)) * 1000);
			continue;
		}
		const message = String(parsed.message ?? parsed.detail ?? `The status is ${answer.statusCode}`);
		throw new NodeApiError(node.getNode(), parsed as JsonObject, {
			message,
			description: String(parsed.detail ?? message),
			httpCode: String(answer.statusCode),
			itemIndex,
		});
	}
}

function eventOf(node: IExecuteFunctions, action: string, itemIndex: number): IDataObject {
	const fields =
		action === 'upsert' ? (node.getNodeParameter('eventFields', itemIndex, {}) as IDataObject) : {};
	const filled = Object.entries(fields).filter(([, value]) => value !== '' && value !== 'none');
	const location = node.getNodeParameter('location', itemIndex, '') as string;
	return {
		title: node.getNodeParameter('title', itemIndex) as string,
		starts_at: node.getNodeParameter('startsAt', itemIndex) as string,
		...(location && { location }),
		...Object.fromEntries(filled),
	};
}

function parse(body: unknown): IDataObject {
	if (typeof body === 'object' && body !== null) return body as IDataObject;
	try {
		return JSON.parse(String(body)) as IDataObject;
	} catch (error) {
		return { detail: `Not a response of Sluice: ${(error as Error).message}` };
	}
}
