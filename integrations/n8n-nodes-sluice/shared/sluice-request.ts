import {
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type IWebhookFunctions,
	type JsonObject,
	NodeApiError,
} from 'n8n-workflow';
import { sendWithRetries } from './retry-after';
import type { SluiceResponse } from './seconds-to-wait';

export type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export interface SluiceRequest {
	readonly method: IHttpRequestMethods;
	/** Below /api/public, such as /leads. */
	readonly path: string;
	readonly qs?: IDataObject;
	readonly body?: IDataObject;
	/** The same key means the same request: a step that is run again writes once. */
	readonly idempotencyKey?: string;
	/** The ETag of the record that the request may change. Sluice rejects it with 412 once the record has another one. */
	readonly ifMatch?: string;
	/** Sends it once, and gives up after this time. Default: it waits for Retry-After, and sends it again. */
	readonly timeoutMs?: number;
	/** For errors: the item that the request belongs to. */
	readonly itemIndex?: number;
}

/** Calls the public API. Throws NodeApiError with the sentence of the problem if the last response is not 2xx. */
export async function sluiceRequest(
	caller: Caller,
	request: SluiceRequest,
): Promise<SluiceResponse> {
	const sendOnce = async () => await send(caller, request);
	const response = await (request.timeoutMs === undefined ? sendWithRetries(sendOnce) : sendOnce());
	if (response.statusCode >= 200 && response.statusCode < 300) return response;
	throw problemError(caller, response, request.itemIndex);
}

/** The body of a response to a request that returns one object. */
export async function sluiceObject(caller: Caller, request: SluiceRequest): Promise<IDataObject> {
	const { body } = await sluiceRequest(caller, request);
	return (body ?? {}) as IDataObject;
}

/** A redirect could carry the key elsewhere, and would make a GET of a POST: a create would return a list. */
export const UNREDIRECTED = { disableFollowRedirect: true } as const;

async function send(caller: Caller, request: SluiceRequest): Promise<SluiceResponse> {
	const { baseUrl } = await caller.getCredentials<{ baseUrl: string }>('sluiceApi');
	return (await caller.helpers.httpRequestWithAuthentication.call(caller, 'sluiceApi', {
		method: request.method,
		url: `${baseUrl.replace(/\/+$/, '')}/api/public${request.path}`,
		qs: request.qs,
		body: request.body,
		headers: {
			Accept: 'application/json',
			...(request.idempotencyKey && { 'Idempotency-Key': request.idempotencyKey }),
			...(request.ifMatch && { 'If-Match': request.ifMatch }),
		},
		json: true,
		...(request.timeoutMs !== undefined && { timeout: request.timeoutMs }),
		...UNREDIRECTED,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	})) as SluiceResponse;
}

interface Problem {
	readonly message?: string;
	readonly errors?: ReadonlyArray<{ readonly field?: string; readonly detail?: string }>;
}

/**
 * The error of a response that is not 2xx. Its message is the sentence of the problem; its description has the fields.
 * `address` names the address that the user typed.
 */
export function problemError(
	caller: Caller,
	response: SluiceResponse,
	itemIndex?: number,
	address = 'base URL',
): NodeApiError {
	const problem = problemOf(response.body);
	const fields = (problem.errors ?? []).map(({ field, detail }) =>
		inN8n(field === undefined ? String(detail) : `${field}: ${detail}`),
	);
	const { statusCode } = response;
	const message =
		statusCode >= 300 && statusCode < 400
			? `The ${address} redirects to another address. Copy it again from your Sluice dashboard.`
			: inN8n(problem.message ?? `Sluice answered with the status ${statusCode}`);
	return new NodeApiError(caller.getNode(), problem as JsonObject, {
		message,
		description: fields.length > 0 ? fields.join('\n') : message,
		httpCode: String(statusCode),
		itemIndex,
	});
}

/** Sentences of the API that only a program can follow, and what a user of n8n can do. */
const FOR_PROGRAMS: ReadonlyArray<readonly [string, string]> = [
	['Correct the fields named in errors.', 'Correct the fields of the node.'],
	[
		'GET /api/public/pipeline-stages lists the stages.',
		'Choose one from the list of stages in the node.',
	],
];

function inN8n(sentence: string): string {
	return FOR_PROGRAMS.reduce((text, [theirs, ours]) => text.replace(theirs, ours), sentence);
}

function problemOf(body: unknown): Problem {
	return typeof body === 'object' && body !== null ? body : {};
}
