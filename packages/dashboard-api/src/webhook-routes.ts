import { route } from './route.ts';
import type * as W from './webhooks.ts';

/** The webhook subscriptions of the account: those of its keys and its own. Their URLs may be secrets, so admins see them. */
export const WEBHOOK_ROUTES = {
  list: route<{ response: W.WebhookList }>('GET', '/webhooks', 'admin'),
  kinds: route<{ response: W.WebhookKinds }>('GET', '/webhooks/kinds', 'admin'),
  create: route<{ body: W.NewWebhook; response: W.WebhookWithSecret }>('POST', '/webhooks', 'admin', 201),
  show: route<{ params: 'webhookId'; response: W.WebhookItem }>('GET', '/webhooks/:webhookId', 'admin'),
  change: route<{ params: 'webhookId'; body: W.WebhookChange; response: W.WebhookItem }>(
    'PATCH',
    '/webhooks/:webhookId',
    'admin',
  ),
  remove: route<{ params: 'webhookId'; response: null }>('DELETE', '/webhooks/:webhookId', 'admin', 204),
  pause: route<{ params: 'webhookId'; response: W.WebhookItem }>(
    'POST',
    '/webhooks/:webhookId/pause',
    'admin',
  ),
  resume: route<{ params: 'webhookId'; response: W.WebhookItem }>(
    'POST',
    '/webhooks/:webhookId/resume',
    'admin',
  ),
  /** Takes the subscription of a revoked or expired key over for the account. */
  adopt: route<{ params: 'webhookId'; response: W.WebhookItem }>(
    'POST',
    '/webhooks/:webhookId/adopt',
    'admin',
  ),
  rotateSecret: route<{ params: 'webhookId'; body: W.WebhookRotation; response: W.WebhookWithSecret }>(
    'POST',
    '/webhooks/:webhookId/secret/rotate',
    'admin',
  ),
  messages: route<{ params: 'webhookId'; query: W.MessageQuery; response: W.MessagePage }>(
    'GET',
    '/webhooks/:webhookId/messages',
    'admin',
  ),
  redeliver: route<{ params: 'webhookId' | 'messageId'; response: W.WebhookRedelivered }>(
    'POST',
    '/webhooks/:webhookId/messages/:messageId/redeliver',
    'admin',
  ),
  /** Ends what waits as discarded. */
  discard: route<{ params: 'webhookId'; response: W.WebhookDiscarded }>(
    'POST',
    '/webhooks/:webhookId/discard',
    'admin',
  ),
  test: route<{ params: 'webhookId'; body: W.WebhookTest; response: W.WebhookTested }>(
    'POST',
    '/webhooks/:webhookId/test',
    'admin',
  ),
  recover: route<{ params: 'webhookId'; body: W.WebhookRecovery; response: W.WebhookRecovered }>(
    'POST',
    '/webhooks/:webhookId/recover',
    'admin',
  ),
} as const;
