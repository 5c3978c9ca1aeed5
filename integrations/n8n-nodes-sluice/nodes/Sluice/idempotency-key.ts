import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * The same for each try of one step, so that a retry writes once. The number of the run tells the rounds of a loop apart; a
 * retry keeps it.
 *
 * Older AI agents call a tool directly. They count each retry as a run, and concurrent calls as the same run. So the
 * body tells the calls of such a tool apart: the same call again in one execution writes once.
 */
export function idempotencyKey(
	node: IExecuteFunctions,
	itemIndex: number,
	body: IDataObject,
): string {
	const step = `n8n:${node.getExecutionId()}:${node.getNode().id}`;
	// Earlier versions of n8n do not have the method.
	if (node.isToolExecution?.()) return `${step}:tool:${hashOf(body)}`;
	return `${step}:${runIndexOf(node, itemIndex)}:${itemIndex}`;
}

function runIndexOf(node: IExecuteFunctions, itemIndex: number): number {
	return node.getWorkflowDataProxy(itemIndex).$runIndex as number;
}

function hashOf(body: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
