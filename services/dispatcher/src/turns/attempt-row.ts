import type { Result, TakenEntry, Turn } from '@sluice/outbound/queue/turn';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import type { Answer, Judgement } from '../judge/judge-response.ts';
import type { MessageOutcome } from './judge-attempt.ts';

interface Finished {
  readonly answer: Answer;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly durationMs: number;
  readonly judgement: Judgement;
  readonly outcome: MessageOutcome;
}

/** A finished attempt for the log. */
export function attemptRow(
  { subscription, token }: Pick<Turn, 'subscription' | 'token'>,
  entry: TakenEntry,
  { answer, at, durationMs, judgement, outcome }: Finished,
): AttemptRow {
  const { sentence } = judgement;
  const keepsBody = judgement.next !== 'done' || entry.kind === 'webhook.test';
  return {
    message_id: entry.messageId,
    account_id: subscription.account_id,
    subscription_id: subscription.subscription_id,
    change_id: entry.changeId,
    ...(entry.place !== undefined && { place: entry.place }),
    kind: entry.kind,
    record_id: entry.recordId,
    status: outcome.status === 'unchanged' ? 'failed' : outcome.status,
    status_stays: outcome.status === 'unchanged',
    ...(outcome.status === 'pending' && {
      tries: entry.attempts + (outcome.result.outcome === 'again' ? 1 : 0),
    }),
    next_attempt_at: outcome.nextAttemptAt,
    created_at: entry.pushedAt,
    attempt: {
      id: idOf(token, entry.number, { judgement, outcome }),
      at,
      duration_ms: durationMs,
      code: judgement.code,
      status: answer.kind === 'response' ? answer.status : null,
      sentence: outcome.because === undefined ? sentence : `${sentence} ${outcome.because}`,
      response: answer.kind === 'response' && keepsBody ? answer.body : null,
      redelivery: entry.redelivery || entry.recovered,
    },
  };
}

/**
 * The log has each id once. A message that is given back was not sent, because its host is busy or no key opens its secret. It is tried again
 * every few seconds. So its id is the same each time, and the log has the first time only.
 */
function idOf(
  token: string,
  number: number,
  { judgement, outcome }: Pick<Finished, 'judgement' | 'outcome'>,
): string {
  return outcome.result.outcome === 'given_back' ? `${judgement.code}:${number}` : `${token}:${number}`;
}

/** A resend may ask a busy host for a connection many times. The log has the first and the last time. */
export function isLogged({ redelivery, attempts }: TakenEntry, { outcome }: Result): boolean {
  return !(redelivery && attempts > 0 && outcome === 'again');
}
