import { createHmac } from 'node:crypto';

export interface SignedHeaders {
	readonly [name: string]: string;
}

/** The headers of a signed request to a source. The secret is used as a whole, with `whsec_`. */
export function signEvent(body: string, signingSecret: string, nowMs: number): SignedHeaders {
	const timestamp = String(Math.floor(nowMs / 1000));
	const signature = createHmac('sha256', signingSecret)
		.update(`${timestamp}.${body}`)
		.digest('hex');
	return {
		'Content-Type': 'application/json',
		'X-Service-Timestamp': timestamp,
		'X-Service-Signature': `sha256=${signature}`,
	};
}
