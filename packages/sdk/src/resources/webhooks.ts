import { bodyOf, type Http, keyHeader, matchHeader, signalOf } from '../http.ts';
import type { CallOptions, ChangeOptions, PostOptions } from '../options.ts';
import { type List, paginate } from '../paginate.ts';
import { SluiceSecretLostError } from '../problem.ts';
import { instantText, pageQuery } from '../query.ts';
import type {
  EventKind,
  FiltersOf,
  Instant,
  NewWebhook,
  WebhookDelivery,
  WebhookMessage,
  WebhookPatch,
  WebhookRecovery,
  WebhookRedelivery,
  WebhookSubscription,
  WebhookSubscriptionWithSecret,
  WebhookTestResult,
} from '../types.ts';

const WEBHOOKS = '/api/public/webhooks';
const WEBHOOK = '/api/public/webhooks/{webhookId}';

type WithSecret = WebhookSubscription & { readonly secret: string };

const hasSecret = (rotated: WebhookSubscriptionWithSecret): rotated is WithSecret =>
  rotated.secret !== undefined;

/** The webhook subscriptions that this API key made. */
export function webhooksOf(http: Http) {
  const at = (webhookId: string) => ({ path: { webhookId } });
  return {
    list(filters: FiltersOf<'listWebhooks'> = {}, options: CallOptions = {}): List<WebhookSubscription> {
      return paginate((cursor) => {
        const query = { ...filters, ...(cursor !== undefined && { cursor }) };
        return bodyOf(http.GET(WEBHOOKS, { params: { query }, ...signalOf(options) }));
      });
    },
    get(webhookId: string, options: CallOptions = {}): Promise<WebhookSubscription> {
      return bodyOf(http.GET(WEBHOOK, { params: at(webhookId), ...signalOf(options) }));
    },
    /**
     * Subscribes a URL. The same URL again changes the subscription that it has. The response has the secret, except for the replay of
     * a call with an `idempotencyKey` of your own.
     */
    create(webhook: NewWebhook, options: PostOptions = {}): Promise<WebhookSubscriptionWithSecret> {
      const params = { header: keyHeader(options) };
      return bodyOf(http.POST(WEBHOOKS, { params, body: webhook, ...signalOf(options) }));
    },
    update(
      webhookId: string,
      patch: WebhookPatch,
      options: ChangeOptions = {},
    ): Promise<WebhookSubscription> {
      const params = { ...at(webhookId), header: matchHeader(options) };
      return bodyOf(http.PATCH(WEBHOOK, { params, body: patch, ...signalOf(options) }));
    },
    /** Deletes a subscription. One that is gone is no error. */
    async delete(webhookId: string, options: CallOptions = {}): Promise<void> {
      await bodyOf(http.DELETE(WEBHOOK, { params: at(webhookId), ...signalOf(options) }));
    },
    async deleteByUrl(url: string, options: CallOptions = {}): Promise<void> {
      await bodyOf(http.DELETE(WEBHOOKS, { params: { query: { url } }, ...signalOf(options) }));
    },
    /**
     * Rotates the secret, and returns the new one.
     * @throws SluiceSecretLostError if the response to the first attempt was lost, and the new secret with it. Rotate again.
     */
    async rotateSecret(
      webhookId: string,
      { overlap, ...options }: PostOptions & { readonly overlap?: 'none' | '1h' | '24h' } = {},
    ): Promise<WithSecret> {
      const params = { ...at(webhookId), header: keyHeader(options) };
      const body = overlap === undefined ? {} : { overlap };
      const sent = http.POST(`${WEBHOOK}/rotate-secret`, { params, body, ...signalOf(options) });
      const rotated = await bodyOf(sent);
      if (!hasSecret(rotated)) throw new SluiceSecretLostError(webhookId);
      return rotated;
    },
    /** Sends a made-up message of this kind, and returns what the receiver answered. Default: `webhook.test`. */
    test(
      webhookId: string,
      {
        event,
        ...options
      }: PostOptions & { readonly event?: Exclude<WebhookMessage['type'], 'conversation.reply'> } = {},
    ): Promise<WebhookTestResult> {
      const params = { ...at(webhookId), header: keyHeader(options) };
      const body = event === undefined ? {} : { event };
      return bodyOf(http.POST(`${WEBHOOK}/test`, { params, body, ...signalOf(options) }));
    },
    deliveries(
      webhookId: string,
      filters: FiltersOf<'listWebhookDeliveries'> = {},
      options: CallOptions = {},
    ): List<WebhookDelivery> {
      return paginate((cursor) => {
        const params = { ...at(webhookId), query: pageQuery<'listWebhookDeliveries'>(filters, cursor) };
        return bodyOf(http.GET(`${WEBHOOK}/deliveries`, { params, ...signalOf(options) }));
      });
    },
    /** Sends a message again. `leaves` and `note` say when, because a paused subscription sends it later. */
    redeliver(webhookId: string, messageId: string, options: PostOptions = {}): Promise<WebhookRedelivery> {
      const params = { path: { webhookId, messageId }, header: keyHeader(options) };
      return bodyOf(
        http.POST(`${WEBHOOK}/deliveries/{messageId}/redeliver`, { params, ...signalOf(options) }),
      );
    },
    /** Sends again what was missed since an instant. While `more` is true, call it again with `recovered_until`. */
    async recover(webhookId: string, since: Instant, options: PostOptions = {}): Promise<WebhookRecovery> {
      const params = { ...at(webhookId), header: keyHeader(options) };
      const body = { since: instantText('since', since) };
      return bodyOf(http.POST(`${WEBHOOK}/recover`, { params, body, ...signalOf(options) }));
    },
    eventKinds(filters: FiltersOf<'listEventKinds'> = {}, options: CallOptions = {}): Promise<EventKind[]> {
      return bodyOf(
        http.GET('/api/public/event-kinds', { params: { query: filters }, ...signalOf(options) }),
      );
    },
    /** Whole messages of a kind: the newest real ones first, filled up with made-up ones. */
    async samples(
      kind: string,
      query: FiltersOf<'listEventSamples'> = {},
      options: CallOptions = {},
    ): Promise<WebhookMessage[]> {
      const params = { path: { kind }, query };
      const path = '/api/public/event-kinds/{kind}/samples';
      return (await bodyOf(http.GET(path, { params, ...signalOf(options) }))) as unknown as WebhookMessage[];
    },
  };
}
