export { createClient, type SluiceClient } from './client.ts';
export { etagOf } from './etag.ts';
export type { Http } from './http.ts';
export type { CallOptions, ChangeOptions, ClientOptions, PostOptions } from './options.ts';
export { type List, type Page, paginate, type ReadPage } from './paginate.ts';
export {
  type FieldError,
  isProblem,
  SluiceConnectionError,
  SluiceProblem,
  SluiceSecretLostError,
} from './problem.ts';
export type { CreateLeadOptions, LeadMatch } from './resources/leads.ts';
export type { RetryOptions } from './retry.ts';
export { type SendEventOptions, sendEvent } from './send-event.ts';
export { type SignedEvent, type SignOptions, signEvent } from './sign-event.ts';
export type * from './types.ts';
export { type ReceivedHeaders, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
