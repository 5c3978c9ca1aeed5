import type { IDisplayOptions } from 'n8n-workflow';

/** Shows a parameter for these operations of a resource. */
export function showFor(
	resource: string,
	operation: readonly string[],
	more: Record<string, Array<string | boolean>> = {},
): IDisplayOptions {
	return { show: { resource: [resource], operation: [...operation], ...more } };
}
