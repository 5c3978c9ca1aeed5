import type { IWebhookFunctions } from 'n8n-workflow';
import { askAtOnceNextTime, askSluice } from './ask-sluice';
import { forgetSubscription, knownSubscription } from './known-subscriptions';
import { type Kept, readNotes, writeNotes } from './notes';
import { type MessageHeaders, type Verified, verifyMessage } from './verify-message';

/**
 * Verifies the request of a published workflow or of a test, with the secrets that this process of n8n has. If another secret
 * signed it, asks Sluice: the secret was rotated, or another process of n8n has published the workflow and not saved it yet,
 * or a run has saved older notes over it.
 */
export async function verifyRequest(node: IWebhookFunctions): Promise<Verified> {
	const { rawBody } = node.getRequestObject();
	const headers = node.getHeaderData() as MessageHeaders;
	const now = Date.now();
	const verify = (secrets: readonly string[]) => verifyMessage(rawBody, headers, secrets, now);
	const noted = readNotes(node);
	const known = await knownSubscription(node);
	const first = verify([noted, known].flatMap((kept) => kept?.secret ?? []));
	if (first.verified) {
		keepWhatSigned(node, { noted, known, secret: first.secret, verify });
		return first;
	}
	if (!first.isUnknownSecret || node.getMode() === 'manual') return first;
	const current = await askSluice(node, now);
	if (current === undefined) return first;
	const again = verify([current.secret]);
	if (again.verified) {
		writeNotes(node, current);
		askAtOnceNextTime(node);
	}
	return again;
}

interface Signed {
	readonly noted: Kept | undefined;
	readonly known: Kept | undefined;
	/** The secret that signed the message. */
	readonly secret: string;
	readonly verify: (secrets: readonly string[]) => Verified;
}

/**
 * Writes the notes again if only the memory of the process has the secret. n8n saves the static data of a run as a whole, over
 * the notes that a publication has saved since the run began.
 *
 * If only the notes have it, the memory is older: another process of n8n has asked for a rotated secret.
 */
function keepWhatSigned(node: IWebhookFunctions, { noted, known, secret, verify }: Signed): void {
	if (noted?.secret !== secret) return writeNotes(node, known);
	if (known !== undefined && !verify([known.secret]).verified) forgetSubscription(node);
}
