import type { FlowNode } from './node-red.ts';

const TAB = 'f000000000000001';
/** Node-RED takes a node without a place for a configuration. */
const PLACE = { z: TAB, x: 100, y: 100 };
const SERVER = 'f000000000000002';

/** The flows of the tests, as the editor saves them. */
export function createFlows({ apiUrl, publicUrl }: { readonly apiUrl: string; readonly publicUrl: string }) {
  return {
    /** The tab and the server that the other nodes use. */
    base: (apiKey: string, more: object = {}): FlowNode[] => [
      { id: TAB, type: 'tab', label: 'Flow' },
      {
        ...{ id: SERVER, type: 'sluice-config', name: 'Sluice', baseUrl: `${apiUrl}/`, publicUrl },
        credentials: { apiKey },
        ...more,
      },
    ],

    /** A node that receives. A request to /received/<id> returns the messages that reached the flow. */
    receiving: (id: string, events: readonly string[], more: object = {}): FlowNode[] => [
      {
        ...{ id, type: 'sluice-in', ...PLACE, name: `In ${id}`, server: SERVER, events, wires: [[`${id}a`]] },
        ...more,
      },
      functionNode(`${id}a`, `global.set('${id}', [...(global.get('${id}') || []), msg]);`, []),
      { id: `${id}b`, type: 'http in', ...PLACE, url: `/received/${id}`, method: 'get', wires: [[`${id}c`]] },
      functionNode(`${id}c`, `msg.payload = global.get('${id}') || []; return msg;`, [`${id}d`]),
      { id: `${id}d`, type: 'http response', ...PLACE, wires: [] },
    ],

    /** A node that acts on the body of a request to /act/<id>. The response is its payload, or the error with 500. */
    acting: (id: string, type: string, more: object): FlowNode[] => [
      { id: `${id}a`, type: 'http in', ...PLACE, url: `/act/${id}`, method: 'post', wires: [[`${id}b`]] },
      functionNode(`${id}b`, 'Object.assign(msg, msg.payload); return msg;', [id]),
      { id, type, ...PLACE, server: SERVER, wires: [[`${id}c`]], ...more },
      { id: `${id}c`, type: 'http response', ...PLACE, wires: [] },
      { id: `${id}d`, type: 'catch', ...PLACE, scope: [id], wires: [[`${id}e`]] },
      functionNode(
        `${id}e`,
        'msg.statusCode = 500; msg.payload = { error: msg.error.message }; return msg;',
        [`${id}c`],
      ),
    ],
  };

  function functionNode(id: string, func: string, to: readonly string[]): FlowNode {
    return { id, type: 'function', ...PLACE, func, outputs: 1, wires: [to] };
  }
}
