import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sluiceRequest } from '../../shared/sluice-request';
import { listFilters } from './list-filters';

const PAGE_MAX = 200;

interface Page {
	readonly data?: IDataObject[];
	readonly next_cursor?: string | null;
}

/** Reads a list page by page, until Limit is reached or the list ends. */
export async function readList(
	node: IExecuteFunctions,
	path: string,
	itemIndex: number,
): Promise<IDataObject[]> {
	const all = node.getNodeParameter('returnAll', itemIndex, false) as boolean;
	const limit = all ? Infinity : (node.getNodeParameter('limit', itemIndex, 50) as number);
	const filters = node.getNodeParameter('filters', itemIndex, {}) as IDataObject;
	const query = listFilters(filters);
	if (query === undefined) return [];
	const found: IDataObject[] = [];
	let cursor: string | null | undefined;
	do {
		const { body } = await sluiceRequest(node, {
			itemIndex,
			method: 'GET',
			path,
			qs: {
				...query,
				limit: Math.min(PAGE_MAX, limit - found.length),
				...(cursor && { cursor }),
			},
		});
		const page = (body ?? {}) as Page;
		found.push(...(page.data ?? []));
		cursor = page.next_cursor;
	} while (cursor && found.length < limit);
	return found.slice(0, limit);
}
