import { randomUUID } from 'node:crypto';
import { until } from '../../support/until.ts';
import { type Execution, listExecutions, readExecutions } from './executions.ts';
import type { N8n } from './n8n.ts';

export interface Credential {
  readonly id: string;
  readonly name: string;
}

export interface Node {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: object;
  readonly credentials?: Readonly<Record<string, Credential>>;
  /** A part of another node, such as the tool of an agent, and not a step. */
  readonly partOf?: { readonly node: string; readonly as: 'ai_languageModel' | 'ai_tool' };
  /** Settings of the node, such as `retryOnFail`. */
  readonly settings?: object;
}

export interface WorkflowOptions {
  readonly name?: string;
}

/** A node of a file that n8n has exported. */
export interface RecipeNode {
  readonly name: string;
  readonly parameters: object;
  readonly webhookId?: string;
}

/** A file that n8n has exported. */
export interface Recipe {
  readonly name: string;
  readonly nodes: readonly RecipeNode[];
  readonly connections: object;
}

export interface Workflow {
  readonly id: string;
  readonly versionId: string;
  readonly nodes: readonly object[];
  /** The paths of its webhooks, by the name of the node. */
  readonly webhookIds: Readonly<Record<string, string>>;
}

export interface PublicationStatus {
  readonly status: 'not_published' | 'in_progress' | 'published' | 'partial' | 'failed';
  readonly liveVersionId: string | null;
  readonly triggers: readonly { readonly errorMessage: string | null }[];
}

/** Any session of the editor, to which n8n would push what happens. */
const PUSH = { 'push-ref': 'test-session' };

export type Editor = ReturnType<typeof createEditor>;

/** Does what a user does in the editor of n8n, by the requests that the editor sends. */
export function createEditor(n8n: N8n) {
  const publicationStatus = (id: string) =>
    n8n.rest<PublicationStatus>('GET', `/workflows/${id}/publication-status`);
  return {
    async addCredential(type: string, data: object): Promise<Credential> {
      const { id, name } = await n8n.rest<Credential>('POST', '/credentials', { name: type, type, data });
      return { id, name };
    },

    /** Saves a workflow whose steps follow one after the other. */
    async addWorkflow(
      nodes: readonly Node[],
      { name = 'Workflow' }: WorkflowOptions = {},
    ): Promise<Workflow> {
      const webhookIds = Object.fromEntries(nodes.map((node) => [node.name, randomUUID()]));
      const placed = nodes.map(({ settings, partOf: _, ...node }, index) => ({
        ...{ ...node, ...settings, id: randomUUID(), webhookId: webhookIds[node.name] },
        position: [index * 200, 0],
      }));
      const settings = { executionOrder: 'v1' };
      const body = { name, nodes: placed, connections: connectionsOf(nodes), settings };
      const { id, versionId } = await n8n.rest<{ id: string; versionId: string }>('POST', '/workflows', body);
      return { id, versionId, nodes: placed, webhookIds };
    },

    /** Saves a recipe, as the import of a file does. */
    async addRecipe(recipe: Recipe): Promise<Workflow> {
      const { nodes } = recipe;
      const { id, versionId } = await n8n.rest<{ id: string; versionId: string }>(
        ...(['POST', '/workflows', recipe] as const),
      );
      const webhookIds = Object.fromEntries(nodes.map(({ name, webhookId = '' }) => [name, webhookId]));
      return { id, versionId, nodes, webhookIds };
    },

    /** Saves a change of all its nodes. What is published stays until the next `publish`. */
    async edit(workflow: Workflow, change: object): Promise<Workflow> {
      const nodes = workflow.nodes.map((node) => ({ ...node, ...change }));
      const { versionId } = await n8n.rest<{ versionId: string }>('PATCH', `/workflows/${workflow.id}`, {
        nodes,
      });
      return { ...workflow, nodes, versionId };
    },

    /** Resolves once n8n has published it, or failed to. Before that, its webhooks answer 404. */
    async publish({ id, versionId }: Workflow): Promise<void> {
      await n8n.rest('POST', `/workflows/${id}/activate`, { versionId });
      const settled = async () => {
        const { status, liveVersionId } = await publicationStatus(id);
        return status === 'failed' || (status === 'published' && liveVersionId === versionId);
      };
      await until(settled, { what: 'the workflow is published' });
    },

    async unpublish({ id }: Workflow): Promise<void> {
      await n8n.rest('POST', `/workflows/${id}/deactivate`);
    },

    /** Clicks on "Execute workflow": a trigger listens at its test URL until the first event, at most 2 minutes. */
    async listen({ id }: Workflow, trigger: string): Promise<void> {
      await n8n.rest('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name: trigger } }, PUSH);
    },

    /** Clicks on "Stop listening". */
    async stopListening({ id }: Workflow): Promise<void> {
      await n8n.rest('DELETE', `/test-webhook/${id}`);
    },

    /** The text of the editor about the last publication. */
    publicationStatus: ({ id }: Workflow) => publicationStatus(id),

    /** The path of a webhook node, as it was saved. */
    async webhookPath({ id }: Workflow, name: string): Promise<string> {
      const { nodes } = await n8n.rest<{ nodes: { name: string; parameters: { path: string } }[] }>(
        'GET',
        `/workflows/${id}`,
      );
      return nodes.find((node) => node.name === name)?.parameters.path ?? '';
    },

    executions: async ({ id }: Workflow) => readExecutions(n8n, await listExecutions(n8n, id)),

    /** Waits until a workflow has this many ended executions. */
    async executed({ id }: Workflow, count: number): Promise<readonly Execution[]> {
      const enough = async () => (await listExecutions(n8n, id)).length >= count;
      await until(enough, { what: `${count} executions` });
      return readExecutions(n8n, await listExecutions(n8n, id));
    },
  };
}

/** Each step leads to the next one. A part leads to its node. */
function connectionsOf(nodes: readonly Node[]): object {
  const steps = nodes.filter(({ partOf }) => partOf === undefined);
  const next = steps.slice(1).map(({ name }, index) => [steps[index]?.name, connection('main', name)]);
  const parts = nodes.flatMap(({ name, partOf }) =>
    partOf === undefined ? [] : [[name, connection(partOf.as, partOf.node)]],
  );
  return Object.fromEntries([...next, ...parts]);
}

function connection(type: string, node: string): object {
  return { [type]: [[{ node, type, index: 0 }]] };
}
