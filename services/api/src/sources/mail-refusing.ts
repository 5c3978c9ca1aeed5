import { sourceRefusing } from '@sluice/contract/message/source-refusing';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import { DAY_MS } from '@sluice/contract/time/durations';
import type { Mailer } from '@sluice/mail/mailer';
import { type RefusingSource, sourceRefusingMail } from '@sluice/mail/texts';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { MailedRefusals, SourceRefusals } from '@sluice/store/sources/source-refusals';
import type { Sources } from '@sluice/store/sources/sources';
import { type OwnersOfDeps, ownersOf } from '../members/owners-of.ts';

export interface MailRefusingDeps extends OwnersOfDeps {
  readonly sourceRefusals: Pick<SourceRefusals, 'claimMails'>;
  readonly sources: Pick<Sources, 'findSource'>;
  /** undefined: this installation sends no mail. */
  readonly mailer: Pick<Mailer, 'send'> | undefined;
  /** The dashboard's URL. */
  readonly apiUrl: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Older reports are news no longer: no API server was running, or none sent mails. */
const NEWS_MS = DAY_MS;

/**
 * Mails the owners of each account which sources reject many requests: once while that goes on, and one mail for all of an
 * account. A process that dies right after the claim loses the mail; the Overview still lists the sources.
 */
export async function mailRefusing(deps: MailRefusingDeps): Promise<void> {
  const { sourceRefusals, mailer, apiUrl, now } = deps;
  if (mailer === undefined) return;
  const claimed = await sourceRefusals.claimMails(now() - NEWS_MS);
  for (const accountId of new Set(claimed.map(({ account_id }) => account_id))) {
    const own = claimed.filter(({ account_id }) => account_id === accountId);
    const described = await Promise.all(own.map((one) => describe(deps, one)));
    const sources = described.filter((one) => one !== undefined);
    if (sources.length === 0) continue;
    const { account, emails } = await ownersOf(deps, accountId);
    for (const email of emails) mailer.send(sourceRefusingMail(email, { apiUrl, account, sources }));
  }
}

/** undefined: the source was deleted meanwhile. */
async function describe(
  { sources }: MailRefusingDeps,
  { source_id, data, at }: MailedRefusals,
): Promise<RefusingSource | undefined> {
  const source = await sources.findSource(source_id);
  if (source === undefined || source.deleted !== undefined) return undefined;
  const { refusals, codes } = sourceRefusing.parse(data);
  const reasons = codes.map(({ code, count }) => ({ title: titleOf(code), count }));
  const page = isChannel(source) ? '/settings/channels' : '/events/webhook';
  const path = `${page}/${source_id}/deliveries?outcome=rejected`;
  return { name: source.name, path, refusals, reasons, at };
}

function titleOf(code: string): string {
  return Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode].title : code;
}
