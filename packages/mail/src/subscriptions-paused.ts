import { formatInstant } from '@sluice/contract/instant';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';

export interface PausedSubscription {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly reason: 'failing' | 'key_expired';
  /** When it was paused. Milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface PausedNotice {
  /** The dashboard's URL. */
  readonly apiUrl: string;
  /** The name of the account. */
  readonly account: string;
  readonly subscriptions: readonly PausedSubscription[];
}

/** The notice that webhook subscriptions were paused. It names hosts only, because a URL can contain a secret. */
export function subscriptionsPausedMail(to: string, { apiUrl, account, subscriptions }: PausedNotice): Mail {
  const many = subscriptions.length > 1;
  return {
    kind: 'subscriptions_paused',
    to,
    subject: many
      ? `${subscriptions.length} webhook subscriptions in Sluice need attention`
      : 'A webhook subscription in Sluice needs attention',
    text: `${many ? 'These webhook subscriptions' : 'This webhook subscription'} of the account ${oneLine(account)} ${many ? 'need' : 'needs'} attention:

${subscriptions.map((one) => describe(one, apiUrl)).join('\n')}
You get this mail once for each pause, because you are an owner of the account.
`,
  };
}

function describe({ id, name, host, reason, at }: PausedSubscription, apiUrl: string): string {
  const what = {
    failing: `${host} has accepted no message for days. New messages wait. One is tried every hour, and the first success sends the rest.`,
    key_expired:
      'Its API key has expired, so it gets no messages. Adopt it, or create it again with another key.',
  }[reason];
  return `"${oneLine(name)}", since ${formatInstant(at)}
${what}
${apiUrl.replace(/\/+$/, '')}/settings/webhooks/${id}/messages
`;
}
