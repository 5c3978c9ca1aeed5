import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { isBlank } from './list-filters';

/** An ID as a part of a path. Throws if it is empty, because the path would be that of the list. */
export function recordId(node: IExecuteFunctions, parameter: string, itemIndex: number): string {
	const id = node.getNodeParameter(parameter, itemIndex, '') as unknown;
	if (!isBlank(id)) return encodeURIComponent(String(id).trim());
	const name = parameter === 'leadId' ? 'Lead ID' : 'Conversation ID';
	throw new NodeOperationError(node.getNode(), `The ${name} is empty`, {
		itemIndex,
		description: 'Check the expression: the item that it reads may not have the field.',
	});
}
