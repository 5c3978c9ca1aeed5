import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sluiceObject } from '../../shared/sluice-request';
import { readList } from './read-list';
import { idempotencyKey } from './idempotency-key';

/** Runs one operation on leads for one item. Returns what the item becomes. */
export async function runLead(
	node: IExecuteFunctions,
	operation: string,
	itemIndex: number,
): Promise<IDataObject[]> {
	const text = (name: string) => node.getNodeParameter(name, itemIndex, '') as string;
	const lead = () => `/leads/${encodeURIComponent(text('leadId'))}`;
	const post = (path: string, body: IDataObject, qs?: IDataObject) =>
		sluiceObject(node, {
			itemIndex,
			idempotencyKey: idempotencyKey(node, itemIndex, body),
			method: 'POST',
			path,
			qs,
			body,
		});
	switch (operation) {
		case 'create':
			return [await post('/leads', await leadFields(node, itemIndex))];
		case 'upsert': {
			const matchOn = node.getNodeParameter('matchOn', itemIndex) as string[];
			return [
				await post('/leads', await leadFields(node, itemIndex), { match_on: matchOn.join(',') }),
			];
		}
		case 'update':
			return [
				await sluiceObject(node, {
					itemIndex,
					method: 'PATCH',
					path: lead(),
					body: await leadFields(node, itemIndex),
				}),
			];
		case 'move':
			return [
				await post(`${lead()}/stage`, {
					stage: text('toStage'),
					...(text('moveNote') && { note: text('moveNote') }),
				}),
			];
		case 'get':
			return [await sluiceObject(node, { itemIndex, method: 'GET', path: lead() })];
		default:
			return readList(node, '/leads', itemIndex);
	}
}

type CustomField = { readonly key: string; readonly value: unknown };

/** The fields that the user filled in. An empty tag is left out. */
async function leadFields(node: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const { custom, tags, ...fields } = node.getNodeParameter('fields', itemIndex, {}) as IDataObject;
	const own = ((custom as IDataObject | undefined)?.field ?? []) as CustomField[];
	return {
		...fields,
		...(tags !== undefined && { tags: tagsOf(tags) }),
		...(own.length > 0 && { fields: await typed(node, own) }),
	};
}

function tagsOf(tags: unknown): string[] {
	const list = Array.isArray(tags) ? tags.map(String) : String(tags).split(',');
	return list.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

/** The form gives texts. The types of the account's fields say which of them are numbers and booleans. */
async function typed(node: IExecuteFunctions, own: readonly CustomField[]): Promise<IDataObject> {
	const known = (await sluiceObject(node, { method: 'GET', path: '/leads/fields' })) as unknown;
	const types = new Map(
		(known as Array<{ key: string; type: string }>).map(({ key, type }) => [key, type]),
	);
	const entries = own.map(({ key, value }) => [key, convert(value, types.get(`fields.${key}`))]);
	return Object.fromEntries(entries) as IDataObject;
}

function convert(value: unknown, type: string | undefined): unknown {
	if (typeof value !== 'string') return value;
	if (type === 'number' && value.trim() !== '' && !Number.isNaN(Number(value)))
		return Number(value);
	if (type === 'boolean' && /^(true|false)$/i.test(value.trim()))
		return value.trim().toLowerCase() === 'true';
	return value;
}
