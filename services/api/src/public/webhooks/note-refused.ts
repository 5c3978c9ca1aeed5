import type { RefusedCall } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';

const URL_NAMES = ['target_url', 'url', 'targetUrl', 'hookUrl'] as const;
const URL_SHOWN = 2000;
const LIFTED_BY_RETRY: readonly string[] = [
  ...['unavailable', 'idempotency_in_progress', 'key_revoked', 'changed_meanwhile'],
];

/**
 * Records a rejected create for the dashboard: the user of a platform does not see the response. Rejections that a retry may
 * lift are left out.
 */
export async function noteRefusedCreate(
  { apiKey, refusal, sent, client }: RefusedCall,
  { refusedSubscriptions, subscriptionDeps }: WebhookRouteDeps & { readonly now: () => number },
): Promise<void> {
  const { code, detail, errors = [] } = refusal;
  if (LIFTED_BY_RETRY.includes(code)) return;
  const sentences =
    errors.length === 0 ? [detail] : errors.map((error) => `${error.pointer}: ${error.detail}`);
  const { account_id, key_id } = apiKey;
  await refusedSubscriptions.noteRefused(
    {
      ...{ account_id, key_id, code, target_url: urlIn(sent), client: client ?? null },
      detail: sentences.join(' ').slice(0, 1000),
    },
    subscriptionDeps.now(),
  );
}

function urlIn(sent: unknown): string | null {
  if (typeof sent !== 'object' || sent === null) return null;
  for (const name of URL_NAMES) {
    const value = (sent as Record<string, unknown>)[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, URL_SHOWN).toWellFormed();
  }
  return null;
}
