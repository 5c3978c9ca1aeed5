import type { N8n } from './n8n.ts';

export interface Execution {
  readonly id: string;
  readonly status: string;
  /** `manual`: started by the editor. */
  readonly mode: string;
  /** The items that each node returned, by its name. */
  readonly items: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  /** The error of the last node. */
  readonly error: { readonly message: string; readonly description: string } | undefined;
}

/** The most that n8n returns at once. */
const PAGE = 100;

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly mode: string;
}

/** The ended executions of a workflow, newest first. */
export async function listExecutions(n8n: N8n, workflowId: string): Promise<readonly Listed[]> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  const all: Listed[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/executions?filter=${filter}&limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
    const page = await n8n.rest<{ results: Listed[]; nextCursor: string | null }>('GET', path);
    all.push(...page.results);
    cursor = page.nextCursor;
  }
  return all.filter(({ status }) => status !== 'running' && status !== 'new');
}

/** Reads executions with what their nodes returned. Oldest first. */
export async function readExecutions(n8n: N8n, listed: readonly Listed[]): Promise<readonly Execution[]> {
  const read = listed.map(async ({ id, status, mode }) => {
    const { data } = await n8n.rest<{ data: string }>('GET', `/executions/${id}`);
    return { id, status, mode, ...resultOf(unflatten(data)) };
  });
  return (await Promise.all(read)).sort((a, b) => Number(a.id) - Number(b.id));
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
