import type { IExecuteFunctions } from 'n8n-workflow';

/** The same for each try of one step, so that a retry writes once. */
export function idempotencyKey(node: IExecuteFunctions, itemIndex: number): string {
	return `n8n:${node.getExecutionId()}:${node.getNode().id}:${itemIndex}`;
}
