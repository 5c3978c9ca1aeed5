import { sleep } from 'n8n-workflow';
import { isInProgress, type SluiceResponse, secondsToWait } from './seconds-to-wait';

/**
 * Sends a request. At 429 and 503 it waits for Retry-After and sends the same request again, at most 4 times. At 409 with
 * Retry-After it does so for 35 seconds. Resolves to the last response, whatever its status is. A wait of more than a minute
 * is left to the user.
 */
export async function sendWithRetries(
	send: () => Promise<SluiceResponse>,
): Promise<SluiceResponse> {
	let tries = 0;
	let inProgressSeconds = 0;
	for (;;) {
		const response = await send();
		if (!isInProgress(response)) tries += 1;
		const wait = secondsToWait(response, { tries, inProgressSeconds });
		if (wait === undefined) return response;
		if (isInProgress(response)) inProgressSeconds += wait;
		await sleep(wait * 1000);
	}
}
