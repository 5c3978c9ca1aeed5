import type { IExecuteFunctions } from 'n8n-workflow';
import { sluiceObject } from '../../shared/sluice-request';

/** The type of each field of the account, by its key. Called for an item. */
export type FieldTypes = (itemIndex: number) => Promise<ReadonlyMap<string, string>>;

/** Reads the types once for all items of an execution. The next item repeats a read that failed. */
export function createFieldTypes(node: IExecuteFunctions): FieldTypes {
	let types: ReadonlyMap<string, string> | undefined;
	return async (itemIndex) => {
		types ??= await readTypes(node, itemIndex);
		return types;
	};
}

async function readTypes(
	node: IExecuteFunctions,
	itemIndex: number,
): Promise<ReadonlyMap<string, string>> {
	const request = { itemIndex, method: 'GET', path: '/leads/fields' } as const;
	const fields = (await sluiceObject(node, request)) as unknown;
	return new Map(
		(fields as Array<{ key: string; type: string }>).map(({ key, type }) => [key, type]),
	);
}
