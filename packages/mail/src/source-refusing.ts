import { formatInstant } from '@sluice/contract/instant';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';

export interface RefusingSource {
  readonly name: string;
  /** The path of its deliveries in the dashboard. */
  readonly path: string;
  readonly refusals: number;
  /** The titles of the reasons, the most common first. */
  readonly reasons: readonly { readonly title: string; readonly count: number }[];
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface RefusingNotice {
  /** The dashboard's URL. */
  readonly apiUrl: string;
  /** The name of the account. */
  readonly account: string;
  readonly sources: readonly RefusingSource[];
}

/** The notice that sources have rejected many requests. */
export function sourceRefusingMail(to: string, { apiUrl, account, sources }: RefusingNotice): Mail {
  const many = sources.length > 1;
  return {
    kind: 'source_refusing',
    to,
    subject: many
      ? `${sources.length} sources in Sluice reject many requests`
      : 'A source in Sluice rejects many requests',
    text: `${many ? 'These sources' : 'This source'} of the account ${oneLine(account)} ${many ? 'reject' : 'rejects'} many requests:

${sources.map((one) => describe(one, apiUrl)).join('\n')}
The sender must correct the requests. Each delivery in the log says why it was rejected and how to fix it.

You get this mail once while the rejections go on, because you are an owner of the account.
`,
  };
}

function describe({ name, path, refusals, reasons, at }: RefusingSource, apiUrl: string): string {
  const causes = reasons.map(({ title, count }) => `${count} × ${title}`).join(', ');
  return `"${oneLine(name)}": ${refusals} within 5 minutes, at ${formatInstant(at)}
${causes}
${apiUrl.replace(/\/+$/, '')}${path}
`;
}
