import { expect } from 'chai';

const FOLDER = new URL('../../integrations/n8n-nodes-sluice/', import.meta.url);

interface Call {
  readonly execution?: string;
  readonly nodeId?: string;
  readonly run?: number;
  readonly item?: number;
  readonly body?: object;
  /** How an AI agent calls the node. Undefined: a version of n8n that does not tell. */
  readonly isTool?: boolean | undefined;
}

describe('integrations: the Idempotency-Key of a step in n8n', () => {
  let keyOf: (call: Call) => string;
  before(async () => {
    const { idempotencyKey } = await import(new URL('nodes/Sluice/idempotency-key.ts', FOLDER).href);
    keyOf = (call) => {
      const { execution = '7', nodeId = 'node', run = 0, item = 0, body = { name: 'Ada' } } = call;
      const node = {
        getExecutionId: () => execution,
        getNode: () => ({ id: nodeId }),
        getWorkflowDataProxy: () => ({ $runIndex: run }),
        ...('isTool' in call && call.isTool === undefined
          ? {}
          : { isToolExecution: () => call.isTool === true }),
      };
      return idempotencyKey(node, item, body);
    };
  });

  it('is the same for each try of one step, also if its fields have changed', () => {
    expect(keyOf({ body: { name: 'Ada', at: '12:00:01' } })).to.equal(keyOf({}));
  });

  it('differs between executions, steps, items and the rounds of a loop', () => {
    const calls = [{}, { execution: '8' }, { nodeId: 'other' }, { item: 1 }, { run: 1 }, { run: 1, item: 1 }];
    expect(new Set(calls.map(keyOf)).size).to.equal(calls.length);
  });

  it('counts runs in a version of n8n that does not tell tools apart', () => {
    expect(keyOf({ isTool: undefined, run: 1 })).not.to.equal(keyOf({ isTool: undefined }));
  });

  it('is the same for each try of a tool, which n8n counts as runs', () => {
    expect(keyOf({ isTool: true, run: 1 })).to.equal(keyOf({ isTool: true }));
  });

  it('differs between calls of a tool with other fields, which may have the same number', () => {
    expect(keyOf({ isTool: true, body: { name: 'Grace' } })).not.to.equal(keyOf({ isTool: true }));
  });
});
