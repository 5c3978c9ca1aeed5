import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { sluiceObject, sluiceRequest } from '../../shared/sluice-request';
import { forgetSubscription, rememberSubscription } from './known-subscriptions';
import { type Kept, noteOf, readNotes, writeNotes } from './notes';

export interface Wanted {
	readonly url: string;
	readonly events: readonly string[];
	readonly filter: IDataObject;
	readonly ordered: boolean;
}

/** Reads the parameters of the node. */
export function wantedSubscription(hook: IHookFunctions): Wanted {
	const options = hook.getNodeParameter('options', {}) as IDataObject;
	const filter: IDataObject = {};
	for (const name of ['source_id', 'channel_id', 'stage'])
		if (options[name]) filter[name] = options[name];
	return {
		url: hook.getNodeWebhookUrl('default') as string,
		events: hook.getNodeParameter('events', []) as string[],
		filter,
		ordered: options.ordered === true,
	};
}

/** Whether Sluice has the subscription as the node wants it. A paused one counts: Sluice heals it. */
export async function isSubscribed(hook: IHookFunctions, wanted: Wanted): Promise<boolean> {
	const kept = readNotes(hook);
	if (kept?.url !== wanted.url) return false;
	const { body } = await sluiceRequest(hook, {
		method: 'GET',
		path: '/webhooks',
		qs: { url: wanted.url },
	});
	const [found] = (body as { data?: IDataObject[] })?.data ?? [];
	if (found === undefined || found.id !== kept.id) return false;
	const filter = (found.filter ?? {}) as IDataObject;
	return (
		sameTexts(found.events as string[], wanted.events) &&
		found.ordered === wanted.ordered &&
		['source_id', 'channel_id', 'stage'].every(
			(name) => (filter[name] ?? null) === (wanted.filter[name] ?? null),
		)
	);
}

/**
 * Creates the subscription, or takes over the one that has the URL: the API makes one a URL. The subscription of an earlier
 * URL of the node ends.
 */
export async function subscribe(hook: IHookFunctions, wanted: Wanted): Promise<void> {
	const making = create(hook, wanted);
	rememberSubscription(hook, making);
	const made = await making;
	await unsubscribeEarlier(hook, wanted.url);
	writeNotes(hook, made);
}

async function create(hook: IHookFunctions, wanted: Wanted): Promise<Kept> {
	const { id, name } = hook.getWorkflow();
	const answer = await sluiceObject(hook, {
		method: 'POST',
		path: '/webhooks',
		body: {
			target_url: wanted.url,
			events: [...wanted.events],
			filter: wanted.filter,
			ordered: wanted.ordered,
			client: {
				platform: 'n8n',
				...(name && { workflow_name: name.slice(0, 200) }),
				...(id && { workflow_url: `${hook.getInstanceBaseUrl()}workflow/${id}` }),
				...(hook.getMode() === 'manual' && { mode: 'test' }),
			},
		},
	});
	return noteOf(hook, wanted.url, answer);
}

/** Deletes it by URL, so that it works when n8n lost its notes. The API answers 204 also where nothing is left. */
export async function unsubscribe(hook: IHookFunctions, url: string): Promise<void> {
	await deleteByUrl(hook, url);
	await unsubscribeEarlier(hook, url);
	forgetSubscription(hook);
	writeNotes(hook, undefined);
}

/** The URL of the node changes with the address of n8n. */
async function unsubscribeEarlier(hook: IHookFunctions, url: string): Promise<void> {
	const kept = readNotes(hook);
	if (kept !== undefined && kept.url !== url) await deleteByUrl(hook, kept.url);
}

async function deleteByUrl(hook: IHookFunctions, url: string): Promise<void> {
	await sluiceRequest(hook, { method: 'DELETE', path: '/webhooks', qs: { url } });
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
	return [...left].sort().join('\n') === [...right].sort().join('\n');
}
