import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { isBlank } from './list-filters';

const NAMES = {
	leadId: 'Lead ID',
	conversationId: 'Conversation ID',
	eventId: 'Event ID',
} as const;

/** An ID as a part of a path. Throws if it is empty, because the path would be that of the list. */
export function recordId(
	node: IExecuteFunctions,
	parameter: keyof typeof NAMES,
	itemIndex: number,
): string {
	const id = node.getNodeParameter(parameter, itemIndex, '') as unknown;
	if (!isBlank(id)) return encodeURIComponent(String(id).trim());
	throw new NodeOperationError(node.getNode(), `The ${NAMES[parameter]} is empty`, {
		itemIndex,
		description: 'Check the expression: the item that it reads may not have the field.',
	});
}
