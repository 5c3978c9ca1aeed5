import { identity } from '@sluice/contract/api/public-api';
import {
  conversationRecord,
  listedMessage,
  messageRecord,
  writtenConversation,
  writtenMessage,
} from '@sluice/contract/conversation/conversation';
import { eventRecord } from '@sluice/contract/event/event-record';
import { leadChange, leadField, leadRecord, leadWritten } from '@sluice/contract/lead/lead';
import { pipelineStage } from '@sluice/contract/lead/pipeline';
import {
  changedEvent,
  changedLead,
  deletedEvent,
  erasedLead,
  messageActor,
  messageOfConversation,
  webhookTest,
} from '@sluice/contract/message/event-kinds';
import { sourceRefusing } from '@sluice/contract/message/source-refusing';
import { subscriptionRecord, subscriptionWithSecret } from '@sluice/contract/subscription/subscription';
import { recoverResult, testResult } from '@sluice/contract/subscription/webhook-again';
import {
  webhookAttempt,
  webhookDelivery,
  webhookRedelivery,
} from '@sluice/contract/subscription/webhook-delivery';
import type * as z from 'zod';
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from '../http/json-schema.ts';
import { namedItem } from '../public/conversations/drop-downs.ts';
import { kindRecord } from '../public/webhooks/event-kinds.ts';

/** The records that several operations return. A generated client has one type for each. */
export const NAMED: NamedSchemas = new Map<z.core.$ZodType, string>([
  [identity, 'Identity'],
  [leadRecord, 'Lead'],
  [leadWritten, 'WrittenLead'],
  [leadChange, 'LeadChange'],
  [leadField, 'LeadField'],
  [pipelineStage, 'PipelineStage'],
  [conversationRecord, 'Conversation'],
  [messageRecord, 'ConversationMessage'],
  [listedMessage, 'ListedMessage'],
  [writtenMessage, 'WrittenMessage'],
  [writtenConversation, 'WrittenConversation'],
  [namedItem, 'NamedItem'],
  [subscriptionRecord, 'WebhookSubscription'],
  [subscriptionWithSecret, 'WebhookSubscriptionWithSecret'],
  [webhookAttempt, 'WebhookAttempt'],
  [webhookDelivery, 'WebhookDelivery'],
  [webhookRedelivery, 'WebhookRedelivery'],
  [testResult, 'WebhookTestResult'],
  [recoverResult, 'WebhookRecovery'],
  [kindRecord, 'EventKind'],
  [eventRecord, 'Event'],
  [changedEvent, 'ChangedEvent'],
  [deletedEvent, 'DeletedEvent'],
  [changedLead, 'ChangedLead'],
  [erasedLead, 'ErasedLead'],
  [messageOfConversation, 'ConversationMessageWithConversation'],
  [messageActor, 'Actor'],
  [sourceRefusing, 'SourceRefusing'],
  [webhookTest, 'WebhookTest'],
]);

/** The descriptions of the records, by name. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...NAMED].map(([schema, name]) => {
      const { title: _, ...described } = jsonSchemaOf(schema as z.ZodType, 'output', { named: NAMED });
      return [name, described];
    }),
  );
}
