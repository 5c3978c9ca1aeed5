import { METRIC_SECTIONS } from './metric-catalog.ts';

/** docs/metrics.md with its tables as in the catalog. `page`: its text. */
export function metricsPage(page: string): string {
  const [head = '', ...sections] = page.split(/^(?=## )/m);
  return [head, ...sections.map(withTable)].join('');
}

function withTable(section: string): string {
  const title = section.slice(3, section.indexOf('\n'));
  const metrics = METRIC_SECTIONS[title];
  if (metrics === undefined)
    throw new Error(`docs/metrics.md has a section that the catalog lacks: ${title}`);
  const rows = metrics.map(({ name, type, labelNames, meaning }) => {
    const labels = labelNames.map((label) => ` \`${label}\``).join(',');
    return `| \`${name}\` | ${type} |${labels} | ${meaning} |\n`;
  });
  return section.replace(/(?<=^\|---\|---\|---\|---\|\n)(\|.*\n)*/m, rows.join(''));
}
