import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sluiceObject } from '../../shared/sluice-request';
import { asText } from './as-text';
import { idempotencyKey } from './idempotency-key';
import { readList } from './read-list';
import { recordId } from './record-id';

/** Runs one operation on conversations for one item. Returns what the item becomes. */
export async function runConversation(
	node: IExecuteFunctions,
	operation: string,
	itemIndex: number,
): Promise<IDataObject[]> {
	const text = (name: string) => asText(node.getNodeParameter(name, itemIndex, '')) as string;
	const conversation = () => `/conversations/${recordId(node, 'conversationId', itemIndex)}`;
	const post = async (path: string, body: IDataObject) => [
		await sluiceObject(node, {
			itemIndex,
			idempotencyKey: idempotencyKey(node, itemIndex, body),
			method: 'POST',
			path,
			body,
		}),
	];
	switch (operation) {
		case 'acceptHandoff':
			return post(`${conversation()}/handoff`, {
				action: 'accept',
				...(text('agentName') && { agent_name: text('agentName') }),
			});
		case 'endHandoff':
			return post(`${conversation()}/handoff`, { action: 'end' });
		case 'get':
			return [await sluiceObject(node, { itemIndex, method: 'GET', path: conversation() })];
		case 'getMessages':
			return readList(node, `${conversation()}/messages`, itemIndex);
		case 'reply':
			return post(`${conversation()}/messages`, {
				text: text('text'),
				...(text('authorName') && { author_name: text('authorName') }),
			});
		default:
			return readList(node, '/conversations', itemIndex);
	}
}
