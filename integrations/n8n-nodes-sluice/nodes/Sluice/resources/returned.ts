import type { INodeProperties } from 'n8n-workflow';
import { showFor } from './show';

/** Return All and Limit of an operation that reads a list. */
export function returned(resource: string, operation: readonly string[]): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			displayOptions: showFor(resource, operation),
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: showFor(resource, operation, { returnAll: [false] }),
			description: 'Max number of results to return',
		},
	];
}
