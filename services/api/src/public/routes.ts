import type { ActDeps } from '@sluice/conversations/act';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Router } from 'express';
import { bindPublicRoutes } from './bind-public-routes.ts';
import { type DropDownDeps, listChannels, listSources } from './conversations/drop-downs.ts';
import { updateHandoff } from './conversations/handoff.ts';
import { listMessages, sendReply } from './conversations/messages.ts';
import { getConversation, listConversations } from './conversations/read-conversations.ts';
import type { PublicRoute } from './declare-route.ts';
import { getEvent, listEvents, type ReadEventsDeps } from './events/read-events.ts';
import { identify } from './identify.ts';
import { changeLead } from './leads/change-lead.ts';
import { createLead } from './leads/create-lead.ts';
import type { LeadRouteDeps } from './leads/deps.ts';
import { leadFields } from './leads/lead-fields.ts';
import { leadHistory } from './leads/lead-history.ts';
import { listLeads } from './leads/list-leads.ts';
import { moveLead } from './leads/move-lead.ts';
import { readLead } from './leads/read-lead.ts';
import type { ListDeps } from './list-route.ts';
import { pipelineStages } from './pipeline-stages.ts';
import type { ServeDeps } from './serve-deps.ts';
import { changeWebhook } from './webhooks/change-webhook.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { createWebhookStream } from './webhooks/create-webhook-stream.ts';
import { deleteWebhook, deleteWebhookByUrl } from './webhooks/delete-webhook.ts';
import type { WebhookRouteDeps } from './webhooks/deps.ts';
import { eventSamples, listEventKinds } from './webhooks/event-kinds.ts';
import { listWebhooks, readWebhook } from './webhooks/read-webhooks.ts';
import { recoverWebhook } from './webhooks/recover-webhook.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import type { StreamDeps } from './webhooks/stream-messages.ts';
import { testWebhook } from './webhooks/test-webhook.ts';
import { listWebhookDeliveries, redeliverWebhookMessage } from './webhooks/webhook-deliveries.ts';
import { streamWebhook } from './webhooks/webhook-stream.ts';

export interface PublicDeps
  extends ServeDeps,
    ListDeps,
    LeadRouteDeps,
    ActDeps,
    DropDownDeps,
    ReadEventsDeps,
    WebhookRouteDeps,
    StreamDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly auditLog: ServeDeps['auditLog'] & ActDeps['auditLog'];
}

/**
 * Every route of the public API, in the order of the documentation. A path with a parameter comes after the fixed paths
 * that it would match.
 */
export const PUBLIC_ROUTES: readonly PublicRoute<PublicDeps>[] = [
  identify,
  listLeads,
  createLead,
  leadFields,
  readLead,
  changeLead,
  moveLead,
  leadHistory,
  pipelineStages,
  listConversations,
  getConversation,
  listMessages,
  sendReply,
  updateHandoff,
  listChannels,
  listSources,
  listEvents,
  getEvent,
  listWebhooks,
  createWebhook,
  createWebhookStream,
  deleteWebhookByUrl,
  readWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  streamWebhook,
  listWebhookDeliveries,
  redeliverWebhookMessage,
  testWebhook,
  recoverWebhook,
  listEventKinds,
  eventSamples,
];

/** The API that automation platforms call with an API key. */
export function publicRoutes(router: Router, deps: PublicDeps): void {
  bindPublicRoutes(router, PUBLIC_ROUTES, deps);
}
