import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sluiceObject } from '../../shared/sluice-request';
import { idempotencyKey } from './idempotency-key';
import { readList } from './read-list';
import { recordId } from './record-id';

/** Runs one operation on conversations for one item. Returns what the item becomes. */
export async function runConversation(
	node: IExecuteFunctions,
	operation: string,
	itemIndex: number,
): Promise<IDataObject[]> {
	const text = (name: string) => node.getNodeParameter(name, itemIndex, '') as string;
	const conversation = () => `/conversations/${recordId(node, 'conversationId', itemIndex)}`;
	switch (operation) {
		case 'get':
			return [await sluiceObject(node, { itemIndex, method: 'GET', path: conversation() })];
		case 'getMessages':
			return readList(node, `${conversation()}/messages`, itemIndex);
		case 'reply': {
			const body = {
				text: text('text'),
				...(text('authorName') && { author_name: text('authorName') }),
			};
			return [
				await sluiceObject(node, {
					itemIndex,
					idempotencyKey: idempotencyKey(node, itemIndex, body),
					method: 'POST',
					path: `${conversation()}/messages`,
					body,
				}),
			];
		}
		default:
			return readList(node, '/conversations', itemIndex);
	}
}
