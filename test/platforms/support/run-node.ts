import { until } from '../../support/until.ts';
import type { Execution } from './executions.ts';
import type { AtN8n } from './use-n8n.ts';
import type { Credential, Node } from './workflows.ts';

export const SLUICE = 'Sluice';
const WEBHOOK = 'Webhook';

interface RunOptions {
  /** Default: the credential of the file. */
  readonly using?: Credential;
  readonly sourceApi?: Credential;
  /** Settings of the node, such as `retryOnFail`. */
  readonly settings?: object;
}

/** Runs the Sluice node once, in a published workflow that a webhook starts. */
export function runSluice(at: AtN8n, parameters: object, options: RunOptions = {}): Promise<Execution> {
  const { using = at.credential, sourceApi, settings } = options;
  const credentials = { sluiceApi: using, ...(sourceApi && { sluiceSourceApi: sourceApi }) };
  const type = 'n8n-nodes-sluice.sluice';
  return runNodes(at, [
    { name: SLUICE, type, typeVersion: 1, parameters, credentials, ...(settings && { settings }) },
  ]);
}

/** Runs nodes once, in a published workflow that a webhook starts. */
export async function runNodes({ editor, n8n }: AtN8n, nodes: readonly Node[]): Promise<Execution> {
  const start = {
    name: WEBHOOK,
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    parameters: { path: crypto.randomUUID(), httpMethod: 'POST', responseMode: 'lastNode' },
  };
  const workflow = await editor.addWorkflow([start, ...nodes]);
  await editor.publish(workflow);
  const url = `${n8n.url}/webhook/${await editor.webhookPath(workflow, WEBHOOK)}`;
  // 404: n8n has answered the request to publish, and registers the webhook now.
  await until(async () => (await fetch(url, { method: 'POST' })).status !== 404);
  const [execution] = await editor.executed(workflow, 1);
  await editor.unpublish(workflow);
  return execution as Execution;
}
