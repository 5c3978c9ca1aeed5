import { formatInstant } from '@sluice/contract/time/instant';

/** A plain-text email. */
export interface Mail {
  /** The kind of mail, for the log. The recipient is never logged. */
  readonly kind:
    | 'password_reset'
    | 'password_changed'
    | 'two_factor_changed'
    | 'subscriptions_paused'
    | 'source_refusing';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Names come from clients. A line break in one could add text that looks like ours. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{C}+|\s+/gu, ' ');
}

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

interface RefusingNotice {
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

${sources.map((one) => describeRefusing(one, apiUrl)).join('\n')}
The sender must correct the requests. Each delivery in the log says why it was rejected and how to fix it.

You get this mail once while the rejections go on, because you are an owner of the account.
`,
  };
}

function describeRefusing({ name, path, refusals, reasons, at }: RefusingSource, apiUrl: string): string {
  const causes = reasons.map(({ title, count }) => `${count} × ${title}`).join(', ');
  return `"${oneLine(name)}": ${refusals} within 5 minutes, at ${formatInstant(at)}
${causes}
${apiUrl.replace(/\/+$/, '')}${path}
`;
}

interface PausedSubscription {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly reason: 'failing' | 'key_expired';
  /** When it was paused. Milliseconds since the Unix epoch. */
  readonly at: number;
}

interface PausedNotice {
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

${subscriptions.map((one) => describePaused(one, apiUrl)).join('\n')}
You get this mail once for each pause, because you are an owner of the account.
`,
  };
}

function describePaused({ id, name, host, reason, at }: PausedSubscription, apiUrl: string): string {
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

/** The mail with the link to set a new password. */
export function resetMail(to: string, url: string, minutes: number): Mail {
  return {
    kind: 'password_reset',
    to,
    subject: 'Set a new password for Sluice',
    text: `A new password was requested for ${to}. If it was you, open this link within ${minutes} minutes:

${url}

It works once. If it was not you, do nothing: your password stays the same.
`,
  };
}

/** A change of a user's sign-in: where and when it happened. */
interface Change {
  /** The dashboard's URL. */
  readonly apiUrl: string;
  readonly address: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** The notice that a password was changed. */
export function passwordChangedMail(to: string, { apiUrl, address, at }: Change): Mail {
  return {
    kind: 'password_changed',
    to,
    subject: 'Your Sluice password was changed',
    text: `The password of ${to} at ${apiUrl} was changed at ${formatInstant(at)}, from the address ${address}.

If it was you, do nothing. If it was not, choose "Forgot password?" on the sign-in page, and inform an owner of your account.
`,
  };
}

const TWO_FACTOR = {
  on: {
    subject: 'Two-factor sign-in for Sluice was turned on',
    happened: 'was turned on',
    otherwise: 'choose "Forgot password?" on the sign-in page, and inform an owner of your account',
  },
  off: {
    subject: 'Two-factor sign-in for Sluice was turned off',
    happened: 'was turned off',
    otherwise: 'change your password, turn it on again, and inform an owner of your account',
  },
  reset: {
    subject: 'Two-factor sign-in for Sluice was reset',
    happened: 'was turned off by the operator of this installation',
    otherwise: 'change your password, set it up again, and inform the operator',
  },
} as const;

/** The notice that two-factor sign-in was turned on or off, or reset on the server (then without an address). */
export function twoFactorMail(
  to: string,
  change: keyof typeof TWO_FACTOR,
  { apiUrl, address, at }: Omit<Change, 'address'> & { readonly address?: string },
): Mail {
  const { subject, happened, otherwise } = TWO_FACTOR[change];
  const from = address === undefined ? '' : `, from the address ${address}`;
  return {
    kind: 'two_factor_changed',
    to,
    subject,
    text: `Two-factor sign-in of ${to} at ${apiUrl} ${happened} at ${formatInstant(at)}${from}.

If you expected this, do nothing. If not, ${otherwise}.
`,
  };
}
