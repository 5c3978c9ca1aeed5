import type { components, operations } from './generated/api.ts';

type Schemas = components['schemas'];

export type Identity = Schemas['Identity'];
export type Lead = Schemas['Lead'];
export type LeadChange = Schemas['LeadChange'];
export type LeadField = Schemas['LeadField'];
/** The response to a write. A key without `read:leads` gets only the id, the times and the fields that it sent. */
export type WrittenLead = Schemas['WrittenLead'];
export type NewLead = Schemas['CreateLeadBody'];
export type LeadPatch = Schemas['UpdateLeadBody'];
export type LeadMove = Schemas['MoveLeadBody'];
export type PipelineStage = Schemas['PipelineStage'];
export type Conversation = Schemas['Conversation'];
export type ConversationMessage = Schemas['ConversationMessage'];
/** The response to a reply. A key without `read:conversations` gets only the ids, the times, `delivery` and what it sent. */
export type WrittenMessage = Schemas['WrittenMessage'];
export type Reply = Schemas['SendReplyBody'];
/** The response to a change of a handoff. A key without `read:conversations` gets only the id, the status and the times. */
export type WrittenConversation = Schemas['WrittenConversation'];
export type HandoffChange = Schemas['UpdateHandoffBody'];
export type NamedItem = Schemas['NamedItem'];
export type EventKind = Schemas['EventKind'];
export type WebhookSubscription = Schemas['WebhookSubscription'];
export type WebhookSubscriptionWithSecret = Schemas['WebhookSubscriptionWithSecret'];
export type NewWebhook = Schemas['CreateWebhookBody'];
export type WebhookPatch = Schemas['UpdateWebhookBody'];
export type ListedMessage = Schemas['ListedMessage'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookRedelivery = Schemas['WebhookRedelivery'];
export type WebhookTestResult = Schemas['WebhookTestResult'];
export type WebhookRecovery = Schemas['WebhookRecovery'];
export type Problem = Schemas['Problem'];
export type ProblemCode = Problem['code'];

/** A message that Sluice sends to a webhook subscription. Its `type` tells which fields `data` has. */
export type WebhookMessage = Schemas['WebhookMessage'];
/** The event kinds, such as `lead.created`. */
export type MessageType = WebhookMessage['type'];

/** An event, as lists and messages have it. */
export type EventRecord = Schemas['Event'];

/** The body of a request to an event source. */
export type EventAction = Schemas['WebhookRequest'];
export type EventAccepted = Schemas['Accepted'];

export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** ISO 8601, or a Date, which is sent as that. */
export type Instant = string | Date;

type InstantFilter = 'updated_since' | 'starts_from' | 'starts_until';

type WithDates<Query> = {
  [Key in keyof Query]: Key extends InstantFilter ? Query[Key] | Date : Query[Key];
};

/** The filters of a list. The pages are read one after the other, so a cursor is not among them. */
export type FiltersOf<Name extends keyof operations> = WithDates<Omit<QueryOf<Name>, 'cursor'>>;
