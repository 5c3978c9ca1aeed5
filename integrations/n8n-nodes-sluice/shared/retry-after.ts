import { type IDataObject, sleep } from 'n8n-workflow';

export interface SluiceResponse {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: unknown;
}

const TRIES = 4;
const LONGEST_WAIT_SECONDS = 60;

/**
 * Sends a request. At 429 and 503 it waits for Retry-After and sends the same request again, at most 4 times. Resolves to
 * the last response, whatever its status is. A wait of more than a minute is left to the user.
 */
export async function sendWithRetries(
	send: () => Promise<SluiceResponse>,
): Promise<SluiceResponse> {
	for (let tried = 1; ; tried++) {
		const response = await send();
		const wait = waitSeconds(response);
		if (wait === undefined || tried === TRIES) return response;
		await sleep(wait * 1000);
	}
}

function waitSeconds({ statusCode, headers }: SluiceResponse): number | undefined {
	if (statusCode !== 429 && statusCode !== 503) return undefined;
	const seconds = Number(headers['retry-after'] ?? 1);
	return seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}
