import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sluiceObject } from '../../shared/sluice-request';
import { readList } from './read-list';
import { recordId } from './record-id';

/** Reads events for one item. Returns what the item becomes. */
export async function runStoredEvent(
	node: IExecuteFunctions,
	operation: string,
	itemIndex: number,
): Promise<IDataObject[]> {
	if (operation === 'getAll') return readList(node, '/events', itemIndex);
	const path = `/events/${recordId(node, 'eventId', itemIndex)}`;
	return [await sluiceObject(node, { itemIndex, method: 'GET', path })];
}
