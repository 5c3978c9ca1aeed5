import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { sluiceRequest } from './sluice-request';

/** The menus of both nodes. Each asks the API, so that a menu shows what the account has. */
export const menus = {
	async getEventKinds(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const kinds = await read(this, '/event-kinds');
		const options = kinds.map((kind) => option(kind, String(kind.description ?? '')));
		return [{ name: 'All', value: '*', description: 'Every kind, also future ones' }, ...options];
	},

	async getStages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return (await read(this, '/pipeline-stages')).map((stage) => option(stage));
	},

	async getSources(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return (await readPages(this, '/sources')).map((source) => option(source));
	},

	async getChannels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return (await readPages(this, '/channels')).map((channel) => option(channel));
	},

	async getClearableFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const fields = await read(this, '/leads/fields');
		return fields
			.filter(({ key, read_only }) => read_only !== true && key !== 'stage')
			.map(({ key, label }) => ({ name: String(label), value: String(key) }));
	},

	async getCustomFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const fields = await read(this, '/leads/fields');
		return fields
			.map(({ key, label, type }) => ({
				key: String(key),
				label: String(label),
				type: String(type),
			}))
			.filter(({ key }) => key.startsWith('fields.'))
			.map(({ key, label, type }) => ({
				name: `${label} (${type})`,
				value: key.slice('fields.'.length),
			}));
	},
};

function option({ id, name }: IDataObject, description?: string): INodePropertyOptions {
	return { name: String(name), value: String(id), ...(description && { description }) };
}

/** A list that has no pages: a bare array, or an object with `data`. */
async function read(caller: ILoadOptionsFunctions, path: string): Promise<IDataObject[]> {
	const { body } = await sluiceRequest(caller, { method: 'GET', path });
	if (Array.isArray(body)) return body as IDataObject[];
	return (body as { data?: IDataObject[] }).data ?? [];
}

const PAGE_MAX = 200;

/** All pages of a list, so that a menu has the newest entry too. */
async function readPages(caller: ILoadOptionsFunctions, path: string): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	let cursor: string | null | undefined;
	do {
		const qs = { limit: PAGE_MAX, ...(cursor && { cursor }) };
		const { body } = await sluiceRequest(caller, { method: 'GET', path, qs });
		const page = (body ?? {}) as { data?: IDataObject[]; next_cursor?: string | null };
		found.push(...(page.data ?? []));
		cursor = page.next_cursor;
	} while (cursor);
	return found;
}
