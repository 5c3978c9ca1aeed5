import { randomUUID } from 'node:crypto';
import { until } from '../../support/until.ts';
import type { N8n } from './n8n.ts';

export interface Credential {
  readonly id: string;
  readonly name: string;
}

interface Node {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: object;
  readonly credentials?: Readonly<Record<string, Credential>>;
}

export interface Workflow {
  readonly id: string;
  readonly versionId: string;
  /** The paths of its webhooks, by the name of the node. */
  readonly webhookIds: Readonly<Record<string, string>>;
}

export interface Execution {
  readonly id: string;
  readonly status: string;
  /** The items that each node returned, by its name. */
  readonly items: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  /** The error of the last node. */
  readonly error: { readonly message: string; readonly description: string } | undefined;
}

/** Does what a user does in the editor of n8n, by the requests that the editor sends. */
export function createEditor(n8n: N8n) {
  return {
    async addCredential(type: string, data: object): Promise<Credential> {
      const { id, name } = await n8n.rest<Credential>('POST', '/credentials', { name: type, type, data });
      return { id, name };
    },

    /** Saves a workflow whose nodes follow one after the other. */
    async addWorkflow(nodes: readonly Node[]): Promise<Workflow> {
      const webhookIds = Object.fromEntries(nodes.map(({ name }) => [name, randomUUID()]));
      const placed = nodes.map((node, index) => ({
        ...node,
        id: randomUUID(),
        position: [index * 200, 0],
        webhookId: webhookIds[node.name],
      }));
      const connections = Object.fromEntries(
        nodes
          .slice(1)
          .map(({ name }, index) => [
            nodes[index]?.name,
            { main: [[{ node: name, type: 'main', index: 0 }]] },
          ]),
      );
      const body = { name: 'Workflow', nodes: placed, connections, settings: { executionOrder: 'v1' } };
      const saved = await n8n.rest<{ id: string; versionId: string }>('POST', '/workflows', body);
      return { id: saved.id, versionId: saved.versionId, webhookIds };
    },

    async publish({ id, versionId }: Workflow): Promise<void> {
      await n8n.rest('POST', `/workflows/${id}/activate`, { versionId });
    },

    async unpublish({ id }: Workflow): Promise<void> {
      await n8n.rest('POST', `/workflows/${id}/deactivate`);
    },

    /** The path of a webhook node, as it was saved. */
    async webhookPath({ id }: Workflow, name: string): Promise<string> {
      const { nodes } = await n8n.rest<{ nodes: { name: string; parameters: { path: string } }[] }>(
        'GET',
        `/workflows/${id}`,
      );
      return nodes.find((node) => node.name === name)?.parameters.path ?? '';
    },

    /** The ended executions of a workflow, oldest first. */
    executions,

    /** Waits until a workflow has this many ended executions. */
    async executed(workflow: Workflow, count: number, withinMs?: number): Promise<readonly Execution[]> {
      let ended: readonly Execution[] = [];
      await until(
        async () => {
          ended = await executions(workflow);
          return ended.length >= count;
        },
        { what: `${count} executions`, ...(withinMs !== undefined && { withinMs }) },
      );
      return ended;
    },
  };

  async function executions({ id }: Workflow): Promise<readonly Execution[]> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
    const { results } = await n8n.rest<{ results: { id: string; status: string }[] }>(
      'GET',
      `/executions?filter=${filter}&limit=100`,
    );
    const ended = results.filter(({ status }) => status !== 'running' && status !== 'new');
    const read = ended.map(async ({ id: executionId, status }) => {
      const { data } = await n8n.rest<{ data: string }>('GET', `/executions/${executionId}`);
      return { id: executionId, status, ...resultOf(unflatten(data)) };
    });
    return (await Promise.all(read)).sort((a, b) => Number(a.id) - Number(b.id));
  }
}

interface RunData {
  readonly resultData: {
    readonly runData?: Record<
      string,
      { readonly data?: { readonly main: readonly (readonly { json: Record<string, unknown> }[])[] } }[]
    >;
    readonly error?: { readonly message: string; readonly description: string };
  };
}

function resultOf({ resultData }: RunData): Pick<Execution, 'items' | 'error'> {
  const items = Object.entries(resultData.runData ?? {}).map(([name, runs]) => [
    name,
    (runs[0]?.data?.main[0] ?? []).map(({ json }) => json),
  ]);
  return { items: Object.fromEntries(items), error: resultData.error };
}

/** n8n keeps executions as a list of values in which a text that stands in an object is the place of its value. */
function unflatten(text: string): RunData {
  const values = JSON.parse(text) as unknown[];
  const made = new Map<number, unknown>();
  const at = (place: number): unknown => {
    if (made.has(place)) return made.get(place);
    const value = values[place];
    if (typeof value !== 'object' || value === null) return value;
    const whole: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    made.set(place, whole);
    for (const [name, inner] of Object.entries(value))
      (whole as Record<string, unknown>)[name] = typeof inner === 'string' ? at(Number(inner)) : inner;
    return whole;
  };
  return at(0) as RunData;
}
