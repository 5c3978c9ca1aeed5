import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sluiceRequest } from '../../shared/sluice-request';

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
	const chosen = Object.entries(filters).filter(([, value]) => value !== '');
	const found: IDataObject[] = [];
	let cursor: string | null | undefined;
	do {
		const { body } = await sluiceRequest(node, {
			itemIndex,
			method: 'GET',
			path,
			qs: {
				...Object.fromEntries(chosen.map(([name, value]) => [name, asInstant(name, value)])),
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

/** n8n's date field gives a time without an offset, or a time with one. The API takes ISO 8601 with an offset. */
function asInstant(name: string, value: IDataObject[string]): IDataObject[string] {
	if (name !== 'updated_since') return value;
	const at = new Date(String(value));
	return Number.isNaN(at.getTime()) ? value : at.toISOString();
}
