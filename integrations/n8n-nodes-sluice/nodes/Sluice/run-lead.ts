import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { sluiceObject } from '../../shared/sluice-request';
import { asText } from './as-text';
import { clearedFields, withCleared } from './cleared-fields';
import type { FieldTypes } from './field-types';
import { idempotencyKey } from './idempotency-key';
import { isBlank } from './list-filters';
import { readList } from './read-list';
import { recordId } from './record-id';
import { tagsOf } from './tags';

/** Runs one operation on leads for one item. Returns what the item becomes. */
export async function runLead(
	node: IExecuteFunctions,
	operation: string,
	itemIndex: number,
	fieldTypes: FieldTypes,
): Promise<IDataObject[]> {
	const text = (name: string) => asText(node.getNodeParameter(name, itemIndex, '')) as string;
	const lead = () => `/leads/${recordId(node, 'leadId', itemIndex)}`;
	const fields = () => leadFields(node, itemIndex, fieldTypes);
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
			return [await post('/leads', await fields())];
		case 'upsert': {
			const matchOn = node.getNodeParameter('matchOn', itemIndex) as string[];
			return [await post('/leads', await fields(), { match_on: matchOn.join(',') })];
		}
		case 'update':
			return [
				await sluiceObject(node, {
					itemIndex,
					method: 'PATCH',
					path: lead(),
					body: withCleared(clearedFields(node, itemIndex), await fields()),
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

/**
 * The fields that have a value. The others keep theirs, because an expression may have come out empty. A list of tags without
 * entries is a value: the lead then has no tags.
 */
async function leadFields(
	node: IExecuteFunctions,
	itemIndex: number,
	fieldTypes: FieldTypes,
): Promise<IDataObject> {
	const { custom, tags, ...fields } = node.getNodeParameter('fields', itemIndex, {}) as IDataObject;
	const filled = Object.entries(fields)
		.filter(([, value]) => !isBlank(value))
		.map(([name, value]) => [name, asText(value)]);
	const given = ((custom as IDataObject | undefined)?.field ?? []) as CustomField[];
	const own = given.filter(({ value }) => !isBlank(value));
	const isWithout = !Array.isArray(tags) && isBlank(tags);
	const tagList = isWithout ? [] : listOfTags(node, itemIndex, tags);
	const isEmptyList = Array.isArray(tags) && tags.length === 0;
	return {
		...Object.fromEntries(filled),
		...((isEmptyList || tagList.length > 0) && { tags: tagList }),
		...(own.length > 0 && { fields: typed(own, await fieldTypes(itemIndex)) }),
	};
}

function listOfTags(node: IExecuteFunctions, itemIndex: number, tags: unknown): string[] {
	const list = tagsOf(tags);
	if (Array.isArray(list)) return list;
	throw new NodeOperationError(
		node.getNode(),
		`A tag is not a text: ${JSON.stringify(list.wrong)}`,
		{
			itemIndex,
			description:
				'Enter texts with commas between them, or an expression that returns a list of texts.',
		},
	);
}

/** The form gives texts. The types of the account's fields say which of them are numbers and booleans. */
function typed(own: readonly CustomField[], types: ReadonlyMap<string, string>): IDataObject {
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
