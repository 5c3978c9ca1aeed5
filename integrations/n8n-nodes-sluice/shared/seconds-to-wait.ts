import type { IDataObject } from 'n8n-workflow';

export interface SluiceResponse {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: unknown;
}

/** The spent tries and time of one request. */
export interface Spent {
	/** The tries that met 429 or 503, this one included. */
	readonly tries: number;
	/** The time that it waited for a first try in progress. */
	readonly inProgressSeconds: number;
}

const TRIES = 4;
const LONGEST_WAIT_SECONDS = 60;
/** Sluice gives up a first try whose process died after 30 seconds. */
const IN_PROGRESS_SECONDS = 35;

/** Whether the first try of the same step is still in progress. A repeat gets its response once it has ended. */
export function isInProgress({ statusCode, headers }: SluiceResponse): boolean {
	return statusCode === 409 && headers['retry-after'] !== undefined;
}

/** How long to wait before the same request is sent again. Undefined: the response is final. */
export function secondsToWait(
	response: SluiceResponse,
	{ tries, inProgressSeconds }: Spent,
): number | undefined {
	const seconds = Number(response.headers['retry-after'] ?? 1);
	if (!(seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS)) return undefined;
	if (isInProgress(response)) {
		const wait = Math.max(1, seconds);
		return inProgressSeconds + wait <= IN_PROGRESS_SECONDS ? wait : undefined;
	}
	const isBusy = response.statusCode === 429 || response.statusCode === 503;
	return isBusy && tries < TRIES ? seconds : undefined;
}
