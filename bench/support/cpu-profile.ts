/** The output of `node --cpu-prof` (Chrome DevTools Protocol, Profiler.Profile). */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Cost {
  readonly name: string;
  /** Share of the time in which the process was not idle. */
  readonly share: number;
}

const IDLE = new Set(['(idle)', '(root)', '(program)']);

/** Shares of the busy time, grouped by `nameOf` of a frame. Each sample counts at its innermost frame. */
export function selfCosts(
  { nodes, samples, timeDeltas }: CpuProfile,
  nameOf: (frame: CpuProfile['nodes'][number]['callFrame']) => string,
): Cost[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const totals = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, i) => {
    const frame = frames.get(id);
    if (frame === undefined || IDLE.has(frame.functionName)) return;
    const delta = timeDeltas[i] as number;
    busy += delta;
    const name = nameOf(frame);
    totals.set(name, (totals.get(name) ?? 0) + delta);
  });
  return [...totals].map(([name, us]) => ({ name, share: us / busy })).sort((a, b) => b.share - a.share);
}

/** The function with its file. */
export function functionOf({
  functionName,
  url,
  lineNumber,
}: CpuProfile['nodes'][number]['callFrame']): string {
  return `${functionName || '(anonymous)'} ${shortFile(url)}:${lineNumber + 1}`;
}

/** The package of a frame, or Node. */
export function packageOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  if (functionName === '(garbage collector)') return functionName;
  const [, own] = /\/((?:packages|services)\/[^/]+)\//.exec(url) ?? [];
  const [, foreign] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? [];
  return foreign ?? own ?? (url.startsWith('node:') || url === '' ? 'Node itself' : shortFile(url));
}

function shortFile(url: string): string {
  return url.split('/').slice(-2).join('/') || 'native';
}
