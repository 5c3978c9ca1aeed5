import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** Custom fields have this before their key. */
const CUSTOM = 'fields.';

/** The fields that the user chose under Clear, as a merge patch: null clears. */
export function clearedFields(node: IExecuteFunctions, itemIndex: number): IDataObject {
	const chosen = [node.getNodeParameter('clear', itemIndex, []) as string | string[]].flat();
	const nulls = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]));
	const custom = chosen.filter((key) => key.startsWith(CUSTOM));
	return {
		...nulls(chosen.filter((key) => !custom.includes(key))),
		...(custom.length > 0 && { fields: nulls(custom.map((key) => key.slice(CUSTOM.length))) }),
	};
}

/** One patch of both. A field that has a value is not cleared. */
export function withCleared(cleared: IDataObject, given: IDataObject): IDataObject {
	const both = { ...cleared, ...given };
	if (cleared.fields === undefined || given.fields === undefined) return both;
	return { ...both, fields: { ...(cleared.fields as object), ...(given.fields as object) } };
}
