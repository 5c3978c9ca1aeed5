import { EventEmitter } from 'node:events';
import express from 'express';
import { requireNodeRed } from './require-node-red.ts';

type Listener = (...values: readonly unknown[]) => unknown;
/** A node, as the nodes of the package see it. */
interface RuntimeNode extends EventEmitter {
  id: string;
  credentials?: object;
  /** It calls back once it has ended. */
  waits?: boolean;
}
type NodeConfig = {
  readonly id: string;
  readonly type: string;
  readonly credentials?: object;
  readonly [property: string]: unknown;
};

/** The settings that Node-RED stores, by their names. */
export type Kept = Map<string, unknown>;

interface RuntimeOptions {
  /** Its httpNodeRoot. */
  readonly root?: string;
  readonly kept?: Kept;
  readonly userDir?: string;
}

/** The part of Node-RED that sluice-config and sluice-in use, without an editor. */
export function startRuntime({ root = '/', kept = new Map(), userDir = '/data' }: RuntimeOptions = {}) {
  const events = new EventEmitter();
  const nodes = new Map<string, RuntimeNode>();
  const shown = new Map<string, object[]>();
  const constructors = new Map<string, new (config: NodeConfig) => RuntimeNode>();
  const httpNode = express();
  if (root !== '/') express().use(root, httpNode);
  const RED = {
    events,
    settings: {
      httpNodeAuth: undefined as object | undefined,
      userDir,
      get: (name: string) => kept.get(name),
      set: async (name: string, value: unknown) => void kept.set(name, value),
    },
    httpNode,
    nodes: {
      registerType: (type: string, Constructor: new (config: NodeConfig) => RuntimeNode) =>
        constructors.set(type, Constructor),
      createNode(node: RuntimeNode, { id, credentials }: NodeConfig) {
        const emitter = new EventEmitter();
        const on = (name: string, listener: Listener) => {
          if (name === 'close' && listener.length > 0) node.waits = true;
          emitter.on(name, listener);
        };
        const quiet = () => undefined;
        const emit = (name: string, ...values: unknown[]) => emitter.emit(name, ...values);
        Object.assign(node, { id, credentials, on, emit });
        const statuses: object[] = [];
        shown.set(id, statuses);
        const status = (one: object) => void statuses.push(one);
        Object.assign(node, { status, error: quiet, warn: quiet, debug: quiet });
      },
      getNode: (id: string) => nodes.get(id),
    },
  };
  for (const name of ['sluice-config', 'sluice-in'])
    requireNodeRed<(red: object) => void>(`nodes/${name}.js`)(RED);

  return {
    settings: RED.settings,
    /** The statuses of a node since it started. */
    shown: (id: string): readonly object[] => shown.get(id) ?? [],
    /** Starts nodes, and resolves once the old subscriptions were removed. */
    async deploy(...configs: readonly NodeConfig[]): Promise<void> {
      for (const config of configs) {
        const Constructor = constructors.get(config.type);
        if (Constructor === undefined) throw new Error(`no node ${config.type}`);
        nodes.set(config.id, new Constructor(config));
      }
      await Promise.all(events.listeners('flows:started').map((listener) => listener()));
    },
    /** Ends all nodes, as a deploy does that changes them. */
    async end(): Promise<void> {
      for (const [id, node] of nodes) {
        nodes.delete(id);
        // A listener with a callback is waited for, as in Node-RED.
        await new Promise<void>((resolve) => {
          node.emit('close', false, resolve);
          if (node.waits !== true) resolve();
        });
      }
    },
  };
}
