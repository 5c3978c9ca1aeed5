import { readPage } from '../../docs/support.ts';

/** A metric as docs/metrics.md describes it. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** The tables of docs/metrics.md, by their heading. */
export function documentedMetrics(): ReadonlyMap<string, readonly DocumentedMetric[]> {
  const [, ...sections] = readPage('docs/metrics.md').split(/^## /m);
  return new Map(
    sections.map((section) => {
      const rows = [...section.matchAll(/^\| `(\w+)` \| (\w+) \|(.*?)\|/gm)];
      const metrics = rows.map(([, name = '', type = '', labels = '']) => ({
        name,
        type,
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label as string).sort(),
      }));
      return [section.split('\n')[0] as string, metrics] as const;
    }),
  );
}
