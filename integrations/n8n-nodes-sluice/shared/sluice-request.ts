import {
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type JsonObject,
	NodeApiError,
	sleep,
} from 'n8n-workflow';

export type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

export interface SluiceRequest {
	readonly method: IHttpRequestMethods;
	/** Below /api/public, such as /leads. */
	readonly path: string;
	readonly qs?: IDataObject;
	readonly body?: IDataObject;
	/** The same key means the same request: a step that is run again writes once. */
	readonly idempotencyKey?: string;
	/** For errors: the item that the request belongs to. */
	readonly itemIndex?: number;
}

export interface SluiceResponse {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: unknown;
}

const TRIES = 4;
const LONGEST_WAIT_SECONDS = 60;

/**
 * Calls the public API. Waits for Retry-After at 429 and 503 and sends the same request again, at most 4 times. Every other
 * response that is not 2xx throws NodeApiError with the sentence of the problem.
 */
export async function sluiceRequest(
	caller: Caller,
	request: SluiceRequest,
): Promise<SluiceResponse> {
	for (let tried = 1; ; tried++) {
		const response = await send(caller, request);
		if (response.statusCode >= 200 && response.statusCode < 300) return response;
		const wait = waitSeconds(response);
		if (wait === undefined || tried === TRIES) throw problemError(caller, request, response);
		await sleep(wait * 1000);
	}
}

/** The body of a response to a request that returns one object. */
export async function sluiceObject(caller: Caller, request: SluiceRequest): Promise<IDataObject> {
	const { body } = await sluiceRequest(caller, request);
	return (body ?? {}) as IDataObject;
}

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
		},
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	})) as SluiceResponse;
}

function waitSeconds({ statusCode, headers }: SluiceResponse): number | undefined {
	if (statusCode !== 429 && statusCode !== 503) return undefined;
	const seconds = Number(headers['retry-after'] ?? 1);
	return seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

interface Problem {
	readonly code?: string;
	readonly message?: string;
	readonly errors?: ReadonlyArray<{ readonly field?: string; readonly detail?: string }>;
}

function problemError(
	caller: Caller,
	request: SluiceRequest,
	response: SluiceResponse,
): NodeApiError {
	const problem = (typeof response.body === 'object' ? response.body : {}) as Problem;
	const fields = (problem.errors ?? []).map(({ field, detail }) => `${field}: ${detail}`);
	const message = problem.message ?? `Sluice answered with the status ${response.statusCode}`;
	return new NodeApiError(caller.getNode(), (problem as JsonObject) ?? {}, {
		message,
		description: fields.length > 0 ? fields.join('\n') : message,
		httpCode: String(response.statusCode),
		itemIndex: request.itemIndex,
	});
}
