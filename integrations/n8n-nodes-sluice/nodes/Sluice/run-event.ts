import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sendWithRetries } from '../../shared/retry-after';
import type { SluiceResponse } from '../../shared/seconds-to-wait';
import { signEvent } from '../../shared/sign-event';
import { problemError, UNREDIRECTED } from '../../shared/sluice-request';
import { asText } from './as-text';

/** Sends one event to a source, signed. A retry sends the same bytes: the same signed request has one effect. */
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
	const response = await sendWithRetries(
		async () =>
			(await node.helpers.httpRequest({
				method: 'POST',
				url: endpointUrl,
				body,
				headers,
				...UNREDIRECTED,
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			})) as SluiceResponse,
	);
	const parsed = { ...response, body: parse(response.body) };
	if (response.statusCode !== 200) throw problemError(node, parsed, itemIndex, 'endpoint URL');
	return [parsed.body];
}

function eventOf(node: IExecuteFunctions, action: string, itemIndex: number): IDataObject {
	const fields =
		action === 'upsert' ? (node.getNodeParameter('eventFields', itemIndex, {}) as IDataObject) : {};
	// The choice No of Recurring has the value none.
	const filled = Object.entries(fields)
		.filter(([name, value]) => value !== '' && !(name === 'recurring' && value === 'none'))
		.map(([name, value]) => [name, asText(value)]);
	const title = asText(node.getNodeParameter('title', itemIndex, '')) as string;
	const startsAt = node.getNodeParameter('startsAt', itemIndex, '') as string;
	const location = asText(node.getNodeParameter('location', itemIndex, '')) as string;
	const externalId = asText(node.getNodeParameter('externalId', itemIndex, '')) as string;
	return {
		...(title && { title }),
		...(startsAt && { starts_at: startsAt }),
		...(location && { location }),
		...(externalId && { external_id: externalId }),
		...Object.fromEntries(filled),
	};
}

function parse(body: unknown): IDataObject {
	if (typeof body === 'object' && body !== null) return body as IDataObject;
	try {
		return JSON.parse(String(body)) as IDataObject;
	} catch (error) {
		return { message: `This is not a response of Sluice: ${(error as Error).message}` };
	}
}
