import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { installNode24, packN8nNodes } from '../../platforms/support/programs.ts';

const FOLDER = fileURLToPath(new URL('../../../integrations/n8n-nodes-sluice/', import.meta.url));

export type Json = Record<string, unknown>;

/** A request that a node sent to the public API. */
export interface NodeRequest {
  readonly method: string;
  /** Below /api/public. */
  readonly path: string;
  readonly qs: Json;
  readonly body: Json | undefined;
  readonly ifMatch?: string;
}

export interface NodeReply {
  readonly statusCode?: number;
  readonly headers?: Json;
  readonly body?: unknown;
}

/** The parts of n8n that the nodes call, with the API that a test chooses. */
export interface StubbedNode {
  readonly sent: NodeRequest[];
  staticData: Json;
  reply: (request: NodeRequest) => NodeReply | Promise<NodeReply>;
}

interface Built {
  readonly Sluice: new () => {
    readonly methods: { readonly loadOptions: Record<string, (this: unknown) => Promise<Json[]>> };
    execute(this: unknown): Promise<{ readonly json: Json }[][]>;
  };
  readonly SluiceTrigger: new () => {
    readonly webhookMethods: {
      readonly default: Record<'create' | 'delete', (this: unknown) => Promise<boolean>>;
    };
    webhook(this: unknown): Promise<Json>;
  };
}

let isBuilt = false;

/** Builds the nodes with n8n's tool, once for all files of a run, and loads them. */
export function loadN8nNodes(): Built {
  if (!isBuilt) packN8nNodes(installNode24());
  isBuilt = true;
  const load = createRequire(FOLDER);
  return {
    ...load('./dist/nodes/Sluice/Sluice.node.js'),
    ...load('./dist/nodes/SluiceTrigger/SluiceTrigger.node.js'),
  };
}

/** The functions of n8n that each part of a node can call. */
function stubbed(): StubbedNode {
  const node: StubbedNode = { sent: [], staticData: {}, reply: () => ({}) };
  const request = async (options: Json) => {
    const { 'If-Match': ifMatch } = (options.headers ?? {}) as { readonly 'If-Match'?: string };
    const sent = {
      method: String(options.method),
      path: new URL(String(options.url)).pathname.replace('/api/public', ''),
      qs: (options.qs ?? {}) as Json,
      body: (typeof options.body === 'string' ? JSON.parse(options.body) : options.body) as Json | undefined,
      ...(ifMatch !== undefined && { ifMatch }),
    };
    node.sent.push(sent);
    return { statusCode: 200, headers: {}, body: {}, ...(await node.reply(sent)) };
  };
  return Object.assign(node, {
    getNode: () => ({ id: 'node', name: 'Sluice', type: 'sluice', typeVersion: 1, parameters: {} }),
    getWorkflow: () => ({ id: 'workflow', name: 'Workflow' }),
    getWorkflowStaticData: () => node.staticData,
    getCredentials: async () => ({
      ...{ baseUrl: 'http://sluice', endpointUrl: 'http://sluice/source', signingSecret: 'whsec_1' },
    }),
    helpers: {
      httpRequestWithAuthentication: (_type: string, options: Json) => request(options),
      httpRequest: request,
    },
    logger: { warn: () => undefined },
    getNodeWebhookUrl: () => 'https://n8n.example.com/webhook/1',
  });
}

/** The context of an execution with the parameters of each item. */
export function stubbedExecution(items: readonly Json[], { continues = false } = {}): StubbedNode {
  return Object.assign(stubbed(), {
    getInputData: () => items.map(() => ({ json: {} })),
    getNodeParameter: (name: string, index: number, otherwise?: unknown) => {
      const parameters = items[index] as Json;
      return name in parameters ? parameters[name] : otherwise;
    },
    getExecutionId: () => '1',
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
    isToolExecution: () => false,
    continueOnFail: () => continues,
  });
}

/** The context in which n8n fills menus. */
export function stubbedMenu(): StubbedNode {
  return stubbed();
}

/** The context in which n8n subscribes a trigger. */
export function stubbedHook(url: string, parameters: Json = { events: ['lead.updated'] }): StubbedNode {
  return Object.assign(stubbed(), {
    getMode: () => 'trigger',
    getNodeWebhookUrl: () => url,
    getInstanceBaseUrl: () => 'https://n8n.example.com/',
    getNodeParameter: (name: string, otherwise: unknown) => parameters[name] ?? otherwise,
  });
}

/** A request to the URL of a trigger. `answered` has the response of the node itself. */
export function stubbedWebhook(
  { headers, content }: { readonly headers: Json; readonly content: string },
  {
    parameters = {},
    mode = 'webhook',
    workflowId = 'workflow',
  }: { readonly parameters?: Json; readonly mode?: string; readonly workflowId?: string } = {},
): StubbedNode & { readonly answered: { status: number; body: Json }[] } {
  const answered: { status: number; body: Json }[] = [];
  return Object.assign(stubbed(), {
    answered,
    getWorkflow: () => ({ id: workflowId, name: 'Workflow' }),
    getMode: () => mode,
    getHeaderData: () => headers,
    getBodyData: () => JSON.parse(content) as Json,
    getRequestObject: () => ({ rawBody: Buffer.from(content) }),
    getNodeParameter: (name: string, otherwise: unknown) => parameters[name] ?? otherwise,
    getResponseObject: () => ({
      once: () => undefined,
      status: (status: number) => ({ json: (body: Json) => void answered.push({ status, body }) }),
    }),
  });
}
