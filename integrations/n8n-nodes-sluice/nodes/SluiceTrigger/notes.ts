import {
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';

/** The notes about one subscription. */
export interface Kept {
	readonly id: string;
	readonly url: string;
	readonly secret: string;
}

/** The notes about a subscription that the API returned. Another service at the base URL can respond with 200 too. */
export function noteOf(node: NotedNode, url: string, { id, secret }: IDataObject): Kept {
	if (typeof id !== 'string' || typeof secret !== 'string')
		throw new NodeOperationError(
			node.getNode(),
			'No Sluice API server responds at the base URL. Copy the address of your dashboard.',
		);
	return { id, url, secret };
}

type Kind = 'production' | 'test';
type Notes = Partial<Record<Kind, Kept>>;
export type NotedNode = IHookFunctions | IWebhookFunctions;

/**
 * The editor's test and the published workflow have one subscription each. They are not told apart by URL: in `webhook()`,
 * n8n returns the production URL for a test too.
 */
function kindOf(node: NotedNode): Kind {
	return node.getMode() === 'manual' ? 'test' : 'production';
}

/** The name of a node and a kind, for what this process knows about it. */
export function placeOf(node: NotedNode): string {
	return `${node.getWorkflow().id} ${node.getNode().id} ${kindOf(node)}`;
}

/**
 * Reads the notes from the static data of the workflow. Writes nothing: n8n saves static data that was written to as a whole,
 * over what another process of n8n has saved meanwhile.
 */
export function readNotes(node: NotedNode): Kept | undefined {
	const { subscriptions } = node.getWorkflowStaticData('node') as { subscriptions?: Notes };
	return subscriptions?.[kindOf(node)];
}

/** Writes the notes. Undefined removes them. */
export function writeNotes(node: NotedNode, kept: Kept | undefined): void {
	const staticData = node.getWorkflowStaticData('node');
	staticData.subscriptions ??= {};
	const notes = staticData.subscriptions as unknown as Notes;
	if (kept === undefined) delete notes[kindOf(node)];
	else notes[kindOf(node)] = kept;
}
