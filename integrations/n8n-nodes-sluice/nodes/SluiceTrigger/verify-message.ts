import { createHmac, timingSafeEqual } from 'node:crypto';

/** Standard Webhooks: a message outside of this window is a replay, or a clock is wrong. */
const TOLERANCE_SECONDS = 300;

/** Standard Webhooks: a secret has at least this many bytes. An empty one, or `undefined` as a text, would make messages forgeable. */
const SECRET_BYTES = 24;

export interface MessageHeaders {
	readonly 'webhook-id'?: string;
	readonly 'webhook-timestamp'?: string;
	readonly 'webhook-signature'?: string;
}

export type Verified =
	/** `secret` is the one that a signature matches. */
	| { readonly verified: true; readonly id: string; readonly secret: string }
	/** `isUnknownSecret`: it has the form of a message, and a secret that is not among these may have signed it. */
	| { readonly verified: false; readonly reason: string; readonly isUnknownSecret: boolean };

/**
 * Verifies a message by Standard Webhooks 1.0 over its raw bytes. `webhook-signature` has one or more signatures with a space
 * between them. Any of them may match, because a rotated secret signs too during its overlap. So may any of the secrets.
 */
export function verifyMessage(
	rawBody: Buffer,
	headers: MessageHeaders,
	secrets: readonly string[],
	nowMs: number,
): Verified {
	const id = headers['webhook-id'];
	const timestamp = headers['webhook-timestamp'];
	const signatures = headers['webhook-signature'];
	if (!id || !timestamp || !signatures)
		return refused('A header webhook-id, webhook-timestamp or webhook-signature is missing.');
	if (!/^\d{1,12}$/.test(timestamp)) return refused('webhook-timestamp is not a Unix time.');
	if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
		return refused('The message is more than 5 minutes old, or the clock of n8n is wrong.');
	if (secrets.length === 0)
		return unsigned('The workflow has no subscription. Publish it again.');
	const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), rawBody]);
	const secret = secrets.find((one) => hasSignature(signatures, signed, one));
	return secret === undefined
		? unsigned('The signature does not match. Was the message changed on its way?')
		: { verified: true, id, secret };
}

function hasSignature(signatures: string, signed: Buffer, secret: string): boolean {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	if (key.length < SECRET_BYTES) return false;
	const expected = createHmac('sha256', key).update(signed).digest();
	return signatures.split(' ').some((signature) => {
		if (!signature.startsWith('v1,')) return false;
		const sent = Buffer.from(signature.slice(3), 'base64');
		return sent.length === expected.length && timingSafeEqual(sent, expected);
	});
}

function refused(reason: string): Verified {
	return { verified: false, reason, isUnknownSecret: false };
}

function unsigned(reason: string): Verified {
	return { verified: false, reason, isUnknownSecret: true };
}
