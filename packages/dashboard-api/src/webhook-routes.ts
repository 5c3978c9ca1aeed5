import { get, io, patch, post, remove } from './route.ts';
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
  list: get('/webhooks', 'admin', io<{ response: WebhookList }>()),
  kinds: get('/webhooks/kinds', 'admin', io<{ response: WebhookKinds }>()),
  create: post('/webhooks', 'admin', io<{ body: NewWebhook; response: WebhookWithSecret }>(), 201),
  show: get('/webhooks/:webhookId', 'admin', io<{ response: WebhookItem }>()),
  change: patch('/webhooks/:webhookId', 'admin', io<{ body: WebhookChange; response: WebhookItem }>()),
  remove: remove('/webhooks/:webhookId', 'admin', io<{ response: null }>(), 204),
  pause: post('/webhooks/:webhookId/pause', 'admin', io<{ response: WebhookItem }>()),
  resume: post('/webhooks/:webhookId/resume', 'admin', io<{ response: WebhookItem }>()),
  /** Takes the subscription of a revoked or expired key over for the account. */
  adopt: post('/webhooks/:webhookId/adopt', 'admin', io<{ response: WebhookItem }>()),
  rotateSecret: post(
    '/webhooks/:webhookId/secret/rotate',
    'admin',
    io<{ body: WebhookRotation; response: WebhookWithSecret }>(),
  ),
  messages: get(
    '/webhooks/:webhookId/messages',
    'admin',
    io<{ query: MessageQuery; response: MessagePage }>(),
  ),
  redeliver: post(
    '/webhooks/:webhookId/messages/:messageId/redeliver',
    'admin',
    io<{ response: WebhookRedelivered }>(),
  ),
  /** Ends what waits as discarded. */
  discard: post('/webhooks/:webhookId/discard', 'admin', io<{ response: WebhookDiscarded }>()),
  test: post('/webhooks/:webhookId/test', 'admin', io<{ body: WebhookTest; response: WebhookTested }>()),
  recover: post(
    '/webhooks/:webhookId/recover',
    'admin',
    io<{ body: WebhookRecovery; response: WebhookRecovered }>(),
  ),
} as const;
