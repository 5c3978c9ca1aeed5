import { route } from './route.ts';
import type {
  MessagePage,
  MessageQuery,
  NewWebhook,
  WebhookChange,
  WebhookDiscarded,
  WebhookItem,
  WebhookKinds,
  WebhookList,
  WebhookRecovered,
  WebhookRecovery,
  WebhookRedelivered,
  WebhookRotation,
  WebhookTest,
  WebhookTested,
  WebhookWithSecret,
} from './webhooks.ts';

/** The webhook subscriptions of the account: those of its keys and its own. Their URLs may be secrets, so admins see them. */
export const WEBHOOK_ROUTES = {
  list: route<{ response: WebhookList }>('GET', '/webhooks', 'admin'),
  kinds: route<{ response: WebhookKinds }>('GET', '/webhooks/kinds', 'admin'),
  create: route<{ body: NewWebhook; response: WebhookWithSecret }>('POST', '/webhooks', 'admin', 201),
  show: route<{ params: 'webhookId'; response: WebhookItem }>('GET', '/webhooks/:webhookId', 'admin'),
  change: route<{ params: 'webhookId'; body: WebhookChange; response: WebhookItem }>(
    'PATCH',
    '/webhooks/:webhookId',
    'admin',
  ),
  remove: route<{ params: 'webhookId'; response: null }>('DELETE', '/webhooks/:webhookId', 'admin', 204),
  pause: route<{ params: 'webhookId'; response: WebhookItem }>('POST', '/webhooks/:webhookId/pause', 'admin'),
  resume: route<{ params: 'webhookId'; response: WebhookItem }>(
    'POST',
    '/webhooks/:webhookId/resume',
    'admin',
  ),
  /** Takes the subscription of a revoked or expired key over for the account. */
  adopt: route<{ params: 'webhookId'; response: WebhookItem }>('POST', '/webhooks/:webhookId/adopt', 'admin'),
  rotateSecret: route<{ params: 'webhookId'; body: WebhookRotation; response: WebhookWithSecret }>(
    'POST',
    '/webhooks/:webhookId/secret/rotate',
    'admin',
  ),
  messages: route<{ params: 'webhookId'; query: MessageQuery; response: MessagePage }>(
    'GET',
    '/webhooks/:webhookId/messages',
    'admin',
  ),
  redeliver: route<{ params: 'webhookId' | 'messageId'; response: WebhookRedelivered }>(
    'POST',
    '/webhooks/:webhookId/messages/:messageId/redeliver',
    'admin',
  ),
  /** Ends what waits as discarded. */
  discard: route<{ params: 'webhookId'; response: WebhookDiscarded }>(
    'POST',
    '/webhooks/:webhookId/discard',
    'admin',
  ),
  test: route<{ params: 'webhookId'; body: WebhookTest; response: WebhookTested }>(
    'POST',
    '/webhooks/:webhookId/test',
    'admin',
  ),
  recover: route<{ params: 'webhookId'; body: WebhookRecovery; response: WebhookRecovered }>(
    'POST',
    '/webhooks/:webhookId/recover',
    'admin',
  ),
} as const;
