// Generated from openapi.json by npm run contract. Never edited.

export interface paths {
    "/api/v1/events/webhook/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event
         * @description Create or update (`upsert`), `cancel` or `delete` an event. Sign `<timestamp>.<raw body>` with HMAC-SHA256. The key is the whole signing secret, including `whsec_`. Sending the same signed request twice has one effect. A 200 means that the event is stored and will be applied in order. `cancel` and `delete` read only `title`, `starts_at` and `location`. In an optional field, null counts as absent. On 429 and 503 wait for `Retry-After`, then send the same request again: the same bytes, timestamp and signature. Sign it again only if it is more than five minutes old.
         */
        post: operations["sendEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/automation/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check an API key
         * @description Returns the account and the permissions of the key. Any live key works; no scope is needed.
         */
        get: operations["identify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search leads
         * @description Returns leads, newest first by default. All filters must match. To read what has changed, sort by `updated_at` and pass the `updated_until` of the last read as `updated_since`. Scope: `read:leads`.
         */
        get: operations["listLeads"];
        put?: never;
        /**
         * Create a lead, or change the one that matches
         * @description Creates a lead. With `match_on`, the oldest lead with the same value is changed instead: absent fields and the stage stay. A body without a value of these fields creates a lead. Concurrent requests that match make one lead. If `match_on` names `external_id`, a lead with another one is never changed. Scope: `write:leads`.
         */
        post: operations["createLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/leads/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fields of leads
         * @description Returns the fields of a lead with the account's custom fields, for mappings and menus. Scope: `read:leads` or `write:leads`.
         */
        get: operations["listLeadFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/leads/{leadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a lead
         * @description Returns one lead. Its ETag can be sent as If-Match with a change. Scope: `read:leads`.
         */
        get: operations["getLead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a lead
         * @description A JSON merge patch (RFC 7396): an absent field stays, `null` clears. `fields` is merged key by key, `tags` are replaced. A patch without effect changes no time. Scope: `write:leads`.
         */
        patch: operations["updateLead"];
        trace?: never;
    };
    "/api/public/leads/{leadId}/stage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a lead to another stage
         * @description The note is kept with the move, in the history of the lead. A move to the present stage changes no field and sends no message. Its note is kept as an entry `lead.noted`, with a new ETag. Scope: `write:leads`.
         */
        post: operations["moveLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/leads/{leadId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a lead
         * @description Returns who changed what and when, newest first, with the moves between stages. Scope: `read:leads`.
         */
        get: operations["listLeadHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/pipeline-stages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pipeline stages
         * @description Returns the stages in the order of the pipeline, for menus. A stage that is being retired is left out. Scope: `read:leads` or `write:leads`.
         */
        get: operations["listPipelineStages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Newest first. All filters must match. A channel finds its own conversation by `external_id`. Scope: `read:conversations`.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/conversations/{conversationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description The conversation with its contact, the session data of the channel, and its handoff. Scope: `read:conversations`.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/conversations/{conversationId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation
         * @description Oldest first, by `sent_at`. A message that was sent twice with the same `external_id` is one message. To read what has changed, sort by `updated_at` and pass the `updated_until` of the last read as `updated_since`. Scope: `read:conversations`.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Reply in a conversation
         * @description Keeps a reply with `delivery: "pending"`, until the channel has received it. A reply is possible only while the status is `handoff_active`. Scope: `write:conversations`.
         */
        post: operations["sendReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/conversations/{conversationId}/handoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or end a handoff
         * @description Accepts a handoff that a visitor has requested, so that replies are possible, or ends an active one. Accepting again as the same agent changes nothing. Only an agent in the dashboard or the channel can take a handoff from another agent. Scope: `write:conversations`.
         */
        post: operations["updateHandoff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description Id and name, for menus and filters. Oldest first. A deleted one is missing, also in a list since an instant: read the whole list to learn of it. Scope: `webhooks`.
         */
        get: operations["listChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event sources
         * @description Id and name, for menus and filters. Oldest first. A deleted one is missing, also in a list since an instant: read the whole list to learn of it. Scope: `webhooks`.
         */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns the events that exist, by start, the earliest first. All filters must match. To hear of changes and deletions, subscribe to the kinds `event.*`, which need the same scope. Scope: `webhooks`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Returns an event in the form of the messages about it. A deleted one has `deleted_at`, until it is forgotten. Scope: `webhooks`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook subscriptions
         * @description Returns the webhook subscriptions of this key, newest first. Paused ones are included. Scope: `webhooks`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe a URL to changes
         * @description Idempotent by URL: a second create of the same key and URL returns the same subscription, with the new events and filter. A create of another key of the account takes the subscription over, with a new secret. A key that was rotated subscribes for the key that replaces it. A subscription that this key deleted in the last 10 minutes is revived with the same id, and gets what happened meanwhile. With `If-Match`, it neither creates nor revives. A URL with `/webhook-test/`, or `client.mode: "test"`, ends after 10 minutes. Scope: `webhooks`.
         */
        post: operations["createWebhook"];
        /**
         * Delete the webhook subscription of a URL
         * @description For platforms that kept only the URL. Returns 204 also where it is gone or never was, so that a flow can always be switched off. Nothing more is sent once it responds. For 10 minutes, a create of the same key and URL revives it. Scope: `webhooks`.
         */
        delete: operations["deleteWebhookByUrl"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks/streams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe a program without a URL to changes
         * @description For `sluice listen` and other programs on a machine that the internet cannot reach. Read the messages with `GET /api/public/webhooks/{webhookId}/stream`. The subscription is ephemeral: it ends 75 seconds after its last connection. All streams of a key have the same secret. Scope: `webhooks`.
         */
        post: operations["createWebhookStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook subscription
         * @description Returns 200 for a paused one too, with the reason. Scope: `webhooks`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook subscription
         * @description Returns 204 also where it is gone or never was, so that a flow can always be switched off. Nothing more is sent once it responds. For 10 minutes, a create of the same key and URL revives it. Scope: `webhooks`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook subscription
         * @description A JSON merge patch (RFC 7396): an absent field stays, `null` clears. `"active": false` pauses: messages wait. The pause of an admin stays. Scope: `webhooks`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/public/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook subscription
         * @description Returns a new secret. During the overlap, messages have a signature by each secret. At most 3 secrets sign. Scope: `webhooks`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks/{webhookId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the messages of a stream as they come
         * @description Server-sent events. Each event `message` has the headers and the exact body of one request: forward both unchanged. An event `missed` has the `count` of messages that were dropped, because more than 1,000 or 4 MiB were unread. Connect again with `Last-Event-ID` after an interruption. The stream ends when the key is revoked or the subscription is deleted. Scope: `webhooks`.
         */
        get: operations["streamWebhookMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a webhook subscription with their attempts
         * @description Newest first, for 30 days from the first attempt on. What waits without an attempt is `pending`. The list has no contents of records. To read what has changed, pass the `updated_until` of the last read as `updated_since`. Scope: `webhooks`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks/{webhookId}/deliveries/{messageId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description Sends it once more at once, also to a receiver that fails, with the same `webhook-id` and the header `webhook-redelivery: 1`. It has one attempt. A test is not sent again: send a new one. A message that waits for its own retry is not sent a second time after that attempt succeeds. `leaves` and `note` say what a pause or an ordered subscription makes of it. Tests, redeliveries and recoveries together: at most 10 a minute for each key. Scope: `webhooks`.
         */
        post: operations["redeliverWebhookMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook subscription
         * @description Sends one made-up message now, before all others, and responds with what the receiver answered. It is signed, has the header `webhook-test: 1`, and is not tried again. A receiver that fails gets it too, a paused subscription does not. Tests, redeliveries and recoveries together: at most 10 a minute for each key. Scope: `webhooks`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what a webhook subscription has missed
         * @description Sends the messages about changes since then that were not delivered and do not wait: failed and discarded ones, with the same `webhook-id`. They are sent after what waits, oldest first. It never goes back before the subscription was created, or taken over by this key. One request looks at about 10000 changes. Tests, redeliveries and recoveries together: at most 10 a minute for each key. Scope: `webhooks`.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/event-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event kinds
         * @description Returns what a subscription can ask for: id, name, JSON Schema and a sample. For menus. Scope: `webhooks`.
         */
        get: operations["listEventKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/event-kinds/{kind}/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sample messages of an event kind
         * @description Returns an array of whole messages in the form of their delivery: the newest real ones first, filled up with made-up ones. Real ones need the scope that reads the records. Changes are kept for 30 days from when a subscription collects them. Scope: `webhooks`.
         */
        get: operations["listEventSamples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "event.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event created
         * @description A source or an import created an event.
         */
        post: operations["receiveEventCreatedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event updated
         * @description The content of an event changed.
         */
        post: operations["receiveEventUpdatedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event cancelled
         * @description An event was cancelled.
         */
        post: operations["receiveEventCancelledMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event deleted
         * @description An event was deleted.
         */
        post: operations["receiveEventDeletedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lead created
         * @description A lead was created by API, dashboard, import or conversation.
         */
        post: operations["receiveLeadCreatedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lead updated
         * @description A field of a lead changed, apart from its stage.
         */
        post: operations["receiveLeadUpdatedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.stage_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lead moved
         * @description A lead moved to another pipeline stage.
         */
        post: operations["receiveLeadStageChangedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lead erased
         * @description A lead was erased permanently. Erase your copy too. Only the id is left.
         */
        post: operations["receiveLeadErasedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Conversation opened
         * @description A conversation was opened or reopened.
         */
        post: operations["receiveConversationOpenedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.message_received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message received
         * @description A visitor or the bot of a channel wrote a message. Each message is sent once.
         */
        post: operations["receiveConversationMessageReceivedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.handoff_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Handoff requested
         * @description A visitor asked for a person.
         */
        post: operations["receiveConversationHandoffRequestedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.handoff_accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Handoff accepted
         * @description A person or an integration accepted a handoff, or another one took it over.
         */
        post: operations["receiveConversationHandoffAcceptedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.handoff_ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Handoff ended
         * @description A person ended a handoff session.
         */
        post: operations["receiveConversationHandoffEndedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Conversation closed
         * @description A conversation was closed.
         */
        post: operations["receiveConversationClosedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply
         * @description A person or an integration replied. It is sent to the reply URL of the channel only.
         */
        post: operations["receiveConversationReplyMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "source.refusing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Source rejects requests
         * @description A source rejected 20 requests within 5 minutes. Sent at most once an hour for each source.
         */
        post: operations["receiveSourceRefusingMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test
         * @description A client or an admin tested the subscription.
         */
        post: operations["receiveWebhookTestMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        WebhookRequest: {
            /** @enum {string} */
            action: "upsert" | "cancel" | "delete";
            event: {
                title: string;
                /** @description An ISO 8601 date and time. Without an offset it is UTC. Example: 2026-12-01T18:00:00+01:00 */
                starts_at: string;
                /** @description An ISO 8601 date and time. Without an offset it is UTC. Example: 2026-12-01T18:00:00+01:00 */
                ends_at?: string;
                description?: string;
                location?: string;
                url?: string;
                price?: string;
                /** @enum {string} */
                recurring?: "daily" | "weekly" | "monthly" | "yearly" | "";
                /** @enum {string} */
                status?: "upcoming" | "cancelled" | "";
                /** @description Identifies the event in place of title, starts_at and location. A cancel or delete needs no other field. */
                external_id?: string;
                /** @description Of an upsert: the external_id of the event that this one replaces. */
                replaces?: string;
            };
        };
        Accepted: {
            /** @constant */
            ok: true;
            /** @constant */
            status: "ok";
            delivery_id: string;
            /**
             * @description This very request was accepted before.
             * @constant
             */
            duplicate?: true;
            /**
             * @description The mapping of the source has no rule for this body, or one that ignores it. Nothing changed.
             * @constant
             */
            ignored?: true;
            /** @description A sentence for people. Of an upsert: fields of the event that are not known, and were ignored. Of a body that the mapping of the source cannot read: why. */
            note?: string;
            /**
             * @description Only with `Prefer: wait`: what became of the action. Absent if it was not applied in time.
             * @enum {string}
             */
            outcome?: "created" | "updated" | "cancelled" | "deleted" | "not_found" | "superseded" | "duplicate" | "rejected" | "ignored" | "failed";
            /** @description Only with `outcome`: the event. */
            event_id?: string;
            /** @description Only with `outcome`: the conversation of a channel. */
            conversation_id?: string;
        };
        Identity: {
            account: {
                id: string;
                name: string;
            };
            key: {
                id: string;
                name: string;
                /** @description The first characters of the key, as the dashboard shows them. */
                prefix: string;
                scopes: ("read:leads" | "write:leads" | "read:conversations" | "write:conversations" | "webhooks")[];
                /**
                 * Format: date-time
                 * @description ISO 8601, in UTC.
                 */
                created_at: string;
                expires_at: string | null;
                /** @description The use before this one, within some seconds. */
                last_used_at: string | null;
            };
        };
        Lead: {
            id: string;
            name: string | null;
            company: string | null;
            /** @description As written. Compared without case. */
            email: string | null;
            /** @description As written. */
            phone: string | null;
            /** @description The phone number in international form. null: there is none, or it cannot be read. */
            phone_e164: string | null;
            /** @description Id of a pipeline stage. */
            stage: string;
            /** @description Your own id of the lead. Unique in the account. */
            external_id: string | null;
            tags: string[];
            /** @description Custom fields. */
            fields: {
                [key: string]: string | number | boolean;
            };
            note: string | null;
            /** @enum {string} */
            origin: "api" | "import" | "dashboard" | "conversation";
            conversation_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            stage_changed_at: string;
        };
        WrittenLead: {
            id: string;
            name?: string | null;
            company?: string | null;
            /** @description As written. Compared without case. */
            email?: string | null;
            /** @description As written. */
            phone?: string | null;
            /** @description The phone number in international form. null: there is none, or it cannot be read. */
            phone_e164?: string | null;
            stage?: string | null;
            /** @description Your own id of the lead. Unique in the account. */
            external_id?: string | null;
            tags?: string[];
            fields?: {
                [key: string]: string | number | boolean | null;
            };
            note?: string | null;
            /** @enum {string} */
            origin?: "api" | "import" | "dashboard" | "conversation";
            conversation_id?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            stage_changed_at?: string;
            /** @description Only of a create: false if an existing lead matched and was changed. */
            created?: boolean;
        };
        LeadChange: {
            /** @description Grows with every change of the lead. */
            sequence: number;
            kind: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            at: string;
            actor: {
                type: string;
                id: string;
            };
            /** @description The lead after the change. */
            data: {
                [key: string]: unknown;
            };
            /** @description The changed fields before the change; null for a new lead. */
            previous: {
                [key: string]: unknown;
            } | null;
            note: string | null;
        };
        LeadField: {
            /** @description As in a lead; `fields.<name>` for a custom field. */
            key: string;
            label: string;
            /** @enum {string} */
            type: "string" | "number" | "boolean" | "array" | "datetime";
            required: boolean;
            /** @description The allowed values; null if there are no fixed ones. */
            choices: {
                id: string;
                name: string;
            }[] | null;
            read_only: boolean;
        };
        PipelineStage: {
            id: string;
            name: string;
            /** @description The place of the stage in the pipeline, from 0. */
            position: number;
            /**
             * @description Leads in the stage are open, won or lost.
             * @enum {string}
             */
            kind: "open" | "won" | "lost";
        };
        Conversation: {
            /** @description `conv_…`, derived from the channel and `external_id`. */
            id: string;
            channel_id: string;
            /** @description The channel's id of the conversation. */
            external_id: string;
            /** @enum {string} */
            status: "open" | "handoff_requested" | "handoff_active" | "closed";
            subject: string | null;
            language: string | null;
            contact: {
                name: string | null;
                email: string | null;
                phone: string | null;
            };
            session: {
                [key: string]: string | number | boolean | null;
            };
            handoff: {
                requested_at: string | null;
                accepted_at: string | null;
                /** @description Who accepted the handoff: a member, an API key, the channel (`source`), or an admin on the command line (`system`). */
                agent: {
                    /** @enum {string} */
                    type: "source" | "api_key" | "member" | "system";
                    id: string;
                    name: string | null;
                } | null;
            };
            /** @description The newest message, with the first 200 characters of its text. */
            last_message: {
                /** @description `cmsg_…`, derived from the conversation and `external_id`. */
                id: string;
                /** @enum {string} */
                author: "visitor" | "bot" | "agent";
                author_name: string | null;
                text: string;
                /**
                 * Format: date-time
                 * @description UTC, in milliseconds.
                 */
                sent_at: string;
            } | null;
            lead_id: string | null;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            updated_at: string;
        };
        ConversationMessage: {
            /** @description `cmsg_…`, derived from the conversation and `external_id`. */
            id: string;
            conversation_id: string;
            /** @description The channel's id of the message. */
            external_id: string;
            /** @enum {string} */
            author: "visitor" | "bot" | "agent";
            author_name: string | null;
            text: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            sent_at: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            created_at: string;
            /** @description For a reply: whether the channel has received it. Null for all other messages. */
            delivery: ("pending" | "delivered" | "failed") | null;
            /** @description Why the delivery failed. */
            delivery_reason: string | null;
        };
        ListedMessage: {
            /** @description `cmsg_…`, derived from the conversation and `external_id`. */
            id: string;
            conversation_id: string;
            /** @description The channel's id of the message. */
            external_id: string;
            /** @enum {string} */
            author: "visitor" | "bot" | "agent";
            author_name: string | null;
            text: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            sent_at: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            created_at: string;
            /** @description For a reply: whether the channel has received it. Null for all other messages. */
            delivery: ("pending" | "delivered" | "failed") | null;
            /** @description Why the delivery failed. */
            delivery_reason: string | null;
            /**
             * Format: date-time
             * @description When the message was last changed, or its delivery.
             */
            updated_at: string;
        };
        WrittenMessage: {
            /** @description `cmsg_…`, derived from the conversation and `external_id`. */
            id: string;
            conversation_id: string;
            /** @description The channel's id of the message. */
            external_id?: string;
            /** @enum {string} */
            author?: "visitor" | "bot" | "agent";
            author_name?: string | null;
            text?: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            sent_at: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            created_at: string;
            /** @description For a reply: whether the channel has received it. Null for all other messages. */
            delivery: ("pending" | "delivered" | "failed") | null;
            /** @description Why the delivery failed. */
            delivery_reason?: string | null;
        };
        WrittenConversation: {
            /** @description `conv_…`, derived from the channel and `external_id`. */
            id: string;
            channel_id?: string;
            /** @description The channel's id of the conversation. */
            external_id?: string;
            /** @enum {string} */
            status: "open" | "handoff_requested" | "handoff_active" | "closed";
            subject?: string | null;
            language?: string | null;
            contact?: {
                name: string | null;
                email: string | null;
                phone: string | null;
            };
            session?: {
                [key: string]: string | number | boolean | null;
            };
            handoff?: {
                requested_at: string | null;
                accepted_at: string | null;
                /** @description Who accepted the handoff: a member, an API key, the channel (`source`), or an admin on the command line (`system`). */
                agent: {
                    /** @enum {string} */
                    type: "source" | "api_key" | "member" | "system";
                    id: string;
                    name: string | null;
                } | null;
            };
            /** @description The newest message, with the first 200 characters of its text. */
            last_message?: {
                /** @description `cmsg_…`, derived from the conversation and `external_id`. */
                id: string;
                /** @enum {string} */
                author: "visitor" | "bot" | "agent";
                author_name: string | null;
                text: string;
                /**
                 * Format: date-time
                 * @description UTC, in milliseconds.
                 */
                sent_at: string;
            } | null;
            lead_id?: string | null;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            updated_at: string;
        };
        NamedItem: {
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the name was last changed, in UTC.
             */
            updated_at: string;
        };
        WebhookSubscription: {
            /** @description `sub_…` */
            id: string;
            target_url: string;
            events: string[];
            name: string | null;
            /** @enum {string} */
            status: "active" | "paused";
            /** @description Why it is paused. */
            reason: ("by_admin" | "by_client" | "failing" | "key_revoked" | "key_expired") | null;
            /** @description What happened, and what to do next. */
            reason_detail: string | null;
            paused_at: string | null;
            ordered: boolean;
            filter: {
                source_id: string | null;
                channel_id: string | null;
                stage: string | null;
            };
            client: {
                platform: string | null;
                workflow_name: string | null;
                workflow_url: string | null;
                mode: string | null;
            } | null;
            /** @description A test in the editor of a platform. */
            ephemeral: boolean;
            /**
             * Format: date-time
             * @description Only of an ephemeral subscription.
             */
            expiration_date?: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
        };
        WebhookSubscriptionWithSecret: {
            /** @description `sub_…` */
            id: string;
            target_url: string;
            events: string[];
            name: string | null;
            /** @enum {string} */
            status: "active" | "paused";
            /** @description Why it is paused. */
            reason: ("by_admin" | "by_client" | "failing" | "key_revoked" | "key_expired") | null;
            /** @description What happened, and what to do next. */
            reason_detail: string | null;
            paused_at: string | null;
            ordered: boolean;
            filter: {
                source_id: string | null;
                channel_id: string | null;
                stage: string | null;
            };
            client: {
                platform: string | null;
                workflow_name: string | null;
                workflow_url: string | null;
                mode: string | null;
            } | null;
            /** @description A test in the editor of a platform. */
            ephemeral: boolean;
            /**
             * Format: date-time
             * @description Only of an ephemeral subscription.
             */
            expiration_date?: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
            /** @description Signs the messages (Standard Webhooks). Absent in the replay of an earlier answer. */
            secret?: string;
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            at: string;
            duration_ms: number;
            /** @description `delivered`, or why not, such as `timeout`. */
            code: string;
            /** @description The HTTP status; null without a response. */
            status: number | null;
            /** @description What happened, and what to do. */
            detail: string;
            /** @description The start of the response. */
            response: string | null;
            redelivery: boolean;
        };
        WebhookDelivery: {
            /** @description `msg_…`, the `webhook-id` of every attempt. */
            id: string;
            /** @description The event kind. */
            type: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "erased" | "discarded";
            /** @description Oldest first; the last 50. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description The earliest time of the next attempt, in UTC. A past time: the message is due, and waits for its turn or is attempted now. null: no attempt follows, or the subscription is paused. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status or its attempts last changed, in UTC.
             */
            updated_at: string;
        };
        WebhookRedelivery: {
            /** @description `msg_…`, the `webhook-id` of every attempt. */
            id: string;
            /** @description The event kind. */
            type: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "erased" | "discarded";
            /** @description Oldest first; the last 50. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description The earliest time of the next attempt, in UTC. A past time: the message is due, and waits for its turn or is attempted now. null: no attempt follows, or the subscription is paused. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status or its attempts last changed, in UTC.
             */
            updated_at: string;
            /**
             * @description `now`: also to a receiver that fails. `in_order`: after earlier messages about its record. `once_active`: the subscription is paused. `once_adopted`: its API key is no longer valid.
             * @enum {string}
             */
            leaves: "now" | "in_order" | "once_active" | "once_adopted";
            /** @description The same in a sentence. */
            note: string;
        };
        WebhookTestResult: {
            /** @description The `webhook-id` of the test. */
            message_id: string;
            /**
             * @description `waiting`: no attempt within 17 s. It is still sent, and listed in the deliveries then.
             * @enum {string}
             */
            status: "delivered" | "failed" | "waiting";
            /** @description What happened, and what to do next. */
            detail: string;
            /** @description null while it is waiting. */
            attempt: components["schemas"]["WebhookAttempt"] | null;
        };
        WebhookRecovery: {
            /** @description How many messages are sent again. */
            messages: number;
            /** @description true: recover again, with `recovered_until` as `since`. */
            more: boolean;
            /**
             * Format: date-time
             * @description Changes from then on were looked at: `since`, or later if the subscription is younger, was taken over later, or the log does not go back so far.
             */
            recovered_since: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            recovered_until: string;
        };
        EventKind: {
            /** @description As in `events` of a subscription. */
            id: string;
            name: string;
            description: string;
            /** @description The scope that real samples need; null: none. */
            read_scope: string | null;
            /** @description JSON Schema of a message. */
            schema: {
                [key: string]: unknown;
            };
            /** @description A made-up message. */
            sample: {
                [key: string]: unknown;
            };
        };
        Event: {
            /** @description `evt_…`, derived from the source and external_id. Without one: from title, starts_at and location. */
            id: string;
            source_id: string;
            title: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            starts_at: string;
            ends_at: string | null;
            location: string | null;
            description: string | null;
            url: string | null;
            price: string | null;
            recurring: ("daily" | "weekly" | "monthly" | "yearly") | null;
            /** @description null once deleted. */
            status: ("upcoming" | "cancelled") | null;
            external_id: string | null;
            /** @description How the current content arrived; null once deleted. */
            origin: ("webhook" | "csv" | "ical") | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
            /** @description null while the event exists. */
            deleted_at: string | null;
        };
        ChangedEvent: {
            /** @description `evt_…`, derived from the source and external_id. Without one: from title, starts_at and location. */
            id: string;
            source_id: string;
            title: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            starts_at: string;
            ends_at: string | null;
            location: string | null;
            description: string | null;
            url: string | null;
            price: string | null;
            recurring: ("daily" | "weekly" | "monthly" | "yearly") | null;
            /** @description null once deleted. */
            status: ("upcoming" | "cancelled") | null;
            external_id: string | null;
            /** @description How the current content arrived; null once deleted. */
            origin: ("webhook" | "csv" | "ical") | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
            /** @description null while the event exists. */
            deleted_at: string | null;
            /** @description The changed fields before the change. */
            previous?: {
                [key: string]: unknown;
            };
        };
        DeletedEvent: {
            /** @description `evt_…`, derived from the source and external_id. Without one: from title, starts_at and location. */
            id: string;
            source_id: string;
            title: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            starts_at: string;
            ends_at: string | null;
            location: string | null;
            description: string | null;
            url: string | null;
            price: string | null;
            recurring: ("daily" | "weekly" | "monthly" | "yearly") | null;
            /** @description null once deleted. */
            status: ("upcoming" | "cancelled") | null;
            external_id: string | null;
            /** @description How the current content arrived; null once deleted. */
            origin: ("webhook" | "csv" | "ical") | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
            /** @description null while the event exists. */
            deleted_at: string | null;
            /** @description The changed fields before the change. */
            previous?: {
                [key: string]: unknown;
            };
            /** @description Id of the event that replaces it, if an upsert with an external_id did. */
            became?: string;
        };
        ChangedLead: {
            id: string;
            name: string | null;
            company: string | null;
            /** @description As written. Compared without case. */
            email: string | null;
            /** @description As written. */
            phone: string | null;
            /** @description The phone number in international form. null: there is none, or it cannot be read. */
            phone_e164: string | null;
            /** @description Id of a pipeline stage. */
            stage: string;
            /** @description Your own id of the lead. Unique in the account. */
            external_id: string | null;
            tags: string[];
            /** @description Custom fields. */
            fields: {
                [key: string]: string | number | boolean;
            };
            note: string | null;
            /** @enum {string} */
            origin: "api" | "import" | "dashboard" | "conversation";
            conversation_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            stage_changed_at: string;
            /** @description The changed fields before the change. */
            previous?: {
                [key: string]: unknown;
            };
        };
        ErasedLead: {
            id: string;
        };
        ConversationMessageWithConversation: {
            /** @description `cmsg_…`, derived from the conversation and `external_id`. */
            id: string;
            conversation_id: string;
            /** @description The channel's id of the message. */
            external_id: string;
            /** @enum {string} */
            author: "visitor" | "bot" | "agent";
            author_name: string | null;
            text: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            sent_at: string;
            /**
             * Format: date-time
             * @description UTC, in milliseconds.
             */
            created_at: string;
            /** @description For a reply: whether the channel has received it. Null for all other messages. */
            delivery: ("pending" | "delivered" | "failed") | null;
            /** @description Why the delivery failed. */
            delivery_reason: string | null;
            conversation: components["schemas"]["Conversation"];
        };
        /** @description The author of the change, so that a flow can ignore its own writes. */
        Actor: {
            /** @enum {string} */
            type: "api_key" | "member" | "source" | "system";
            id: string;
        };
        SourceRefusing: {
            /** @description Id of the source or channel. */
            id: string;
            /** @description The same id. */
            source_id: string;
            name: string | null;
            /** @description Refused requests since `since`. */
            refusals: number;
            /** @description The reasons (docs/errors.md), the most frequent one first. */
            codes: {
                code: string;
                count: number;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            since: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            at: string;
        };
        WebhookTest: {
            /** @description Id of the subscription. */
            id: string;
            message: string;
        };
        ListLeadsResult: {
            data: components["schemas"]["Lead"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        CreateLeadBody: {
            name?: string | null;
            company?: string | null;
            email?: string | null;
            phone?: string | null;
            external_id?: string | null;
            note?: string | null;
            tags?: string[] | null;
            fields?: {
                [key: string]: string | number | boolean | null;
            } | null;
            stage?: string | null;
        };
        ListLeadFieldsResult: components["schemas"]["LeadField"][];
        UpdateLeadBody: {
            name?: string | null;
            company?: string | null;
            email?: string | null;
            phone?: string | null;
            external_id?: string | null;
            note?: string | null;
            tags?: string[] | null;
            fields?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description Id of a pipeline stage. */
            stage?: string;
        };
        MoveLeadBody: {
            /** @description Id of a pipeline stage. */
            stage: string;
            note?: string | null;
        };
        ListLeadHistoryResult: {
            data: components["schemas"]["LeadChange"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        ListPipelineStagesResult: components["schemas"]["PipelineStage"][];
        ListConversationsResult: {
            data: components["schemas"]["Conversation"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        ListMessagesResult: {
            data: components["schemas"]["ListedMessage"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        /** Reply */
        SendReplyBody: {
            text: string;
            /** @description The name that the visitor sees. Empty or null: none. */
            author_name?: string | null;
        };
        /** HandoffChange */
        UpdateHandoffBody: {
            /**
             * @description `accept` while the status is `handoff_requested`, `end` while it is `handoff_active`.
             * @enum {string}
             */
            action: "accept" | "end";
            /** @description The name of the agent who accepts. Empty or null: the name of the API key. */
            agent_name?: string | null;
        };
        ListChannelsResult: {
            data: components["schemas"]["NamedItem"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        ListSourcesResult: {
            data: components["schemas"]["NamedItem"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        ListEventsResult: {
            data: components["schemas"]["Event"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        ListWebhooksResult: {
            data: components["schemas"]["WebhookSubscription"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        CreateWebhookBody: {
            /** @description Where the messages are sent to: https, without user name, password and fragment. */
            target_url: string;
            events: string[];
            name?: string | null;
            /** @description false: messages wait. Default: true. */
            active?: boolean | null;
            /** @description true: the messages about one record arrive one after the other. Default: false. */
            ordered?: boolean | null;
            filter?: {
                /** @description Only events of this source. */
                source_id?: string | null;
                /** @description Only conversations of this channel. */
                channel_id?: string | null;
                /** @description Only leads in this pipeline stage. */
                stage?: string | null;
            } | null;
            client?: {
                platform?: string | null;
                workflow_name?: string | null;
                workflow_url?: string | null;
                /** @description `test`: the subscription ends after 10 minutes. */
                mode?: ("test" | "live") | null;
            } | null;
        };
        CreateWebhookStreamBody: {
            /** @description Event kinds. Default: all. */
            events?: string[];
            filter?: {
                /** @description Only events of this source. */
                source_id?: string | null;
                /** @description Only conversations of this channel. */
                channel_id?: string | null;
                /** @description Only leads in this pipeline stage. */
                stage?: string | null;
            } | null;
            /** @description The machine that listens, as the dashboard shows it. */
            host?: string;
        };
        UpdateWebhookBody: {
            /** @description Where the messages are sent to: https, without user name, password and fragment. */
            target_url?: string;
            events?: string[];
            name?: string | null;
            active?: boolean;
            ordered?: boolean;
            filter?: {
                /** @description Only events of this source. */
                source_id?: string | null;
                /** @description Only conversations of this channel. */
                channel_id?: string | null;
                /** @description Only leads in this pipeline stage. */
                stage?: string | null;
            } | null;
            client?: {
                platform?: string | null;
                workflow_name?: string | null;
                workflow_url?: string | null;
                /** @description `test`: the subscription ends after 10 minutes. */
                mode?: ("test" | "live") | null;
            } | null;
        };
        RotateWebhookSecretBody: {
            /**
             * @description How long the old secret signs too. Default: 24h.
             * @enum {string}
             */
            overlap?: "none" | "1h" | "24h";
        };
        /** StreamedMessage */
        StreamWebhookMessagesResult: {
            /** @description The headers of the request: `webhook-id`, `webhook-timestamp`, `webhook-signature` and others. */
            headers: {
                [key: string]: string;
            };
            /** @description The exact body. The signature covers it. */
            body: string;
        };
        ListWebhookDeliveriesResult: {
            data: components["schemas"]["WebhookDelivery"][];
            /** @description null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
            /**
             * Format: date-time
             * @description The same on all pages of one read: 10 s before its first page, or earlier while the database is slow. All changes until then are in the list. Pass it as the next `updated_since`.
             */
            updated_until?: string;
        };
        TestWebhookBody: {
            /**
             * @description The event kind of the made-up message. Default: `webhook.test`.
             * @enum {string}
             */
            event?: "webhook.test" | "event.created" | "event.updated" | "event.cancelled" | "event.deleted" | "lead.created" | "lead.updated" | "lead.stage_changed" | "lead.erased" | "conversation.opened" | "conversation.message_received" | "conversation.handoff_requested" | "conversation.handoff_accepted" | "conversation.handoff_ended" | "conversation.closed" | "source.refusing";
        };
        RecoverWebhookBody: {
            /**
             * Format: date-time
             * @description Changes from then on are looked at, for up to 30 days.
             */
            since: string;
        };
        ListEventKindsResult: components["schemas"]["EventKind"][];
        ListEventSamplesResult: {
            [key: string]: unknown;
        }[];
        EventCreatedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event.created";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["Event"];
        };
        EventUpdatedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event.updated";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ChangedEvent"];
        };
        EventCancelledMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event.cancelled";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ChangedEvent"];
        };
        EventDeletedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event.deleted";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["DeletedEvent"];
        };
        LeadCreatedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lead.created";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["Lead"];
        };
        LeadUpdatedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lead.updated";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ChangedLead"];
        };
        LeadStageChangedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lead.stage_changed";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ChangedLead"];
        };
        LeadErasedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lead.erased";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ErasedLead"];
        };
        ConversationOpenedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.opened";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["Conversation"];
        };
        ConversationMessageReceivedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.message_received";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ConversationMessageWithConversation"];
        };
        ConversationHandoffRequestedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.handoff_requested";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["Conversation"];
        };
        ConversationHandoffAcceptedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.handoff_accepted";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["Conversation"];
        };
        ConversationHandoffEndedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.handoff_ended";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["Conversation"];
        };
        ConversationClosedMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.closed";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["Conversation"];
        };
        ConversationReplyMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.reply";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ConversationMessageWithConversation"];
        };
        SourceRefusingMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "source.refusing";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["SourceRefusing"];
        };
        WebhookTestMessage: {
            /** @description `msg_…`, the same at each attempt: dedupe by it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When the change happened. UTC.
             */
            timestamp: string;
            account_id: string;
            /** @description Grows with every change of one record. */
            sequence: number;
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["WebhookTest"];
        };
        /** @description A message of any event kind. Its `type` is the event kind. */
        WebhookMessage: components["schemas"]["EventCreatedMessage"] | components["schemas"]["EventUpdatedMessage"] | components["schemas"]["EventCancelledMessage"] | components["schemas"]["EventDeletedMessage"] | components["schemas"]["LeadCreatedMessage"] | components["schemas"]["LeadUpdatedMessage"] | components["schemas"]["LeadStageChangedMessage"] | components["schemas"]["LeadErasedMessage"] | components["schemas"]["ConversationOpenedMessage"] | components["schemas"]["ConversationMessageReceivedMessage"] | components["schemas"]["ConversationHandoffRequestedMessage"] | components["schemas"]["ConversationHandoffAcceptedMessage"] | components["schemas"]["ConversationHandoffEndedMessage"] | components["schemas"]["ConversationClosedMessage"] | components["schemas"]["ConversationReplyMessage"] | components["schemas"]["SourceRefusingMessage"] | components["schemas"]["WebhookTestMessage"];
        /** @description Why a request was rejected, and how to correct it (RFC 9457). */
        Problem: {
            /** @description Where the code is explained. */
            type: string;
            title: string;
            status: number;
            /** @description What to do about it. */
            detail: string;
            /** @description The same text as `detail`. */
            message: string;
            /** @enum {string} */
            code: "method_not_allowed" | "not_found" | "unsupported_media_type" | "payload_too_large" | "source_not_found" | "signature_missing" | "timestamp_invalid" | "timestamp_expired" | "signature_invalid" | "too_many_bad_signatures" | "source_inactive" | "rate_limited" | "malformed_json" | "validation_failed" | "mapping_failed" | "plan_limit_reached" | "unavailable" | "key_missing" | "key_invalid" | "key_revoked" | "key_expired" | "signed_out" | "sign_in_failed" | "wrong_password" | "wrong_code" | "two_factor_required" | "forbidden" | "scope_missing" | "cross_site" | "link_invalid" | "conflict" | "cursor_invalid" | "unknown_stage" | "changed_meanwhile" | "external_id_taken" | "subscription_limit_reached" | "subscription_paused" | "target_url_taken" | "handoff_not_requested" | "handoff_not_active" | "idempotency_in_progress" | "idempotency_key_reused" | "rotation_stale" | "count_changed" | "last_owner" | "not_reprocessable" | "feed_unreadable" | "bad_request" | "internal_error";
            /** @description As in the header X-Request-Id. */
            request_id: string;
            errors?: {
                /** @description RFC 6901, into the body; for a query parameter a slash and its name. */
                pointer: string;
                /** @description The pointer in dotted form, such as `fields.budget`. */
                field: string;
                detail: string;
            }[];
            /** @description Only with `scope_missing`: any one of these scopes is enough. */
            required_scopes?: ("read:leads" | "write:leads" | "read:conversations" | "write:conversations" | "webhooks")[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    sendEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Current Unix time in seconds, as decimal digits; at most 300 seconds off. */
                "X-Service-Timestamp": string;
                /** @description `sha256=` and the lower-case hex of the HMAC. */
                "X-Service-Signature": string;
                /** @description `wait=N`: respond once the action is applied, with `outcome` and `event_id`, within N seconds (at most 5). */
                Prefer?: string;
            };
            path: {
                /** @description Last part of the endpoint URL, as shown in the dashboard. */
                source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description Accepted. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description `wait=N`: the action was applied in time. */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description `bad_request`: Bad request. `timestamp_invalid`: Timestamp invalid. `timestamp_expired`: Timestamp expired. `malformed_json`: Malformed JSON. `validation_failed`: Validation failed. `mapping_failed`: Mapping failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `signature_missing`: Signature missing. `signature_invalid`: Signature invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `source_inactive`: Source inactive. `plan_limit_reached`: Plan limit reached. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `source_not_found`: Source not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `too_many_bad_signatures`: Too many bad signatures. `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    identify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is live. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            /** @description `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /** @description Beginnings of words of name, company and email, and the first digits of the phone number. At least 2 characters. Empty: all leads. */
                q?: string;
                email?: string;
                /** @description In international form, such as `+4930901820`. Without a country code it is a number of the phone region of the account. Without a region it finds only leads whose number was written without a country code too. */
                phone?: string;
                external_id?: string;
                stage?: string;
                tag?: string;
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only records changed at or after this instant. Pass `updated_until` of the last read. */
                updated_since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLeadsResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: Validation failed. `unknown_stage`: Unknown pipeline stage. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLead: {
        parameters: {
            query?: {
                /** @description One or several of email,phone,external_id. The first that matches wins. */
                match_on?: string;
            };
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLeadBody"];
            };
        };
        responses: {
            /** @description A lead matched, and was changed where it differed. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenLead"];
                };
            };
            /** @description The lead was created. */
            201: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    /** @description The URL of the new record. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenLead"];
                };
            };
            /** @description `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. `unknown_stage`: Unknown pipeline stage. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. `external_id_taken`: External id taken. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLeadFields: {
        parameters: {
            query?: {
                /** @description A part of the name, without case. Empty: all. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLeadFieldsResult"];
                };
            };
            /** @description `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record is still the same, 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the lead. */
                leadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description The record still has the ETag of `If-None-Match`. No body. */
            304: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record changed since, 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the lead. */
                leadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLeadBody"];
                "application/merge-patch+json": components["schemas"]["UpdateLeadBody"];
            };
        };
        responses: {
            /** @description The lead after the change. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenLead"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. `unknown_stage`: Unknown pipeline stage. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `external_id_taken`: External id taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `changed_meanwhile`: Changed meanwhile. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    moveLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
                /** @description The ETag that you read. If the record changed since, 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the lead. */
                leadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveLeadBody"];
            };
        };
        responses: {
            /** @description The lead after the move. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenLead"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. `unknown_stage`: Unknown pipeline stage. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. `external_id_taken`: External id taken. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `changed_meanwhile`: Changed meanwhile. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLeadHistory: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the lead. */
                leadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLeadHistoryResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPipelineStages: {
        parameters: {
            query?: {
                /** @description A part of the name, without case. Empty: all. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stages. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPipelineStagesResult"];
                };
            };
            /** @description `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only records changed at or after this instant. Pass `updated_until` of the last read. */
                updated_since?: string;
                status?: "open" | "handoff_requested" | "handoff_active" | "closed";
                /** @description Id of a channel. */
                channel?: string;
                lead_id?: string;
                /** @description The channel's id of the conversation. */
                external_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListConversationsResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record is still the same, 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of a conversation, `conv_…`. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description The record still has the ETag of `If-None-Match`. No body. */
            304: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                /** @description Oldest first, or newest first: by `sent_at`, or by the last change. */
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only records changed at or after this instant. Pass `updated_until` of the last read. */
                updated_since?: string;
            };
            header?: never;
            path: {
                /** @description Id of a conversation, `conv_…`. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMessagesResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a conversation, `conv_…`. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendReplyBody"];
            };
        };
        responses: {
            /** @description The reply is kept. */
            201: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenMessage"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. `source_inactive`: Source inactive. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. `handoff_not_active`: Handoff not active. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateHandoff: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a conversation, `conv_…`. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateHandoffBody"];
            };
        };
        responses: {
            /** @description The conversation after the change. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenConversation"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. `source_inactive`: Source inactive. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. `handoff_not_requested`: Handoff not requested. `handoff_not_active`: Handoff not active. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only records changed at or after this instant. Pass `updated_until` of the last read. */
                updated_since?: string;
                /** @description A part of the name, without case. Empty: all. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChannelsResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSources: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at";
                /** @description Only records changed at or after this instant. Pass `updated_until` of the last read. */
                updated_since?: string;
                /** @description A part of the name, without case. Empty: all. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSourcesResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                /** @description Earliest start first, or latest start first. */
                sort?: "starts_at" | "-starts_at";
                /** @description Id of an event source. */
                source?: string;
                status?: "upcoming" | "cancelled";
                /** @description Only events that start at or after this instant. A series counts with its first start. */
                starts_from?: string;
                /** @description Only events that start before this instant. A series counts with its first start. */
                starts_until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record is still the same, 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of an event, `evt_…`. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description The record still has the ETag of `If-None-Match`. No body. */
            304: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                /** @description Only the subscription of this URL. */
                url?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
                /** @description The ETag that you read. If the record changed since, 412. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description The URL was subscribed already. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionWithSecret"];
                };
            };
            /** @description The URL is subscribed. */
            201: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    /** @description The URL of the new record. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionWithSecret"];
                };
            };
            /** @description `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. `subscription_limit_reached`: Too many webhook subscriptions. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `changed_meanwhile`: Changed meanwhile. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhookByUrl: {
        parameters: {
            query: {
                /** @description The URL of the subscription. */
                url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL is not subscribed any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhookStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookStreamBody"];
            };
        };
        responses: {
            /** @description The messages can be read. */
            201: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    /** @description The URL of the new record. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionWithSecret"];
                };
            };
            /** @description `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record is still the same, 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscription"];
                };
            };
            /** @description The record still has the ETag of `If-None-Match`. No body. */
            304: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription does not exist any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record changed since, 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookBody"];
                "application/merge-patch+json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description The subscription after the change. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscription"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. `subscription_limit_reached`: Too many webhook subscriptions. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `target_url_taken`: URL taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `changed_meanwhile`: Changed meanwhile. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretBody"];
            };
        };
        responses: {
            /** @description The subscription with its new secret. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description The revision and the shape of the record, for If-Match and If-None-Match. */
                    ETag?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionWithSecret"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamWebhookMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. A comment comes every 15 seconds. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["StreamWebhookMessagesResult"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: Conflict. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. Empty: the end, answered with 204. */
                cursor?: string;
                /** @description Only messages of this status. */
                status?: "pending" | "delivered" | "failed" | "erased" | "discarded";
                /** @description Default: `-created_at`, newest first; with `updated_since`: `updated_at`. By change the list has only messages that were attempted or have ended. */
                sort?: "-created_at" | "updated_at" | "-updated_at";
                /** @description Only records changed at or after this instant. Pass `updated_until` of the last read. */
                updated_since?: string;
            };
            header?: never;
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookDeliveriesResult"];
                };
            };
            /** @description An empty `cursor=`: the end of the list. */
            204: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `cursor_invalid`: Cursor invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliverWebhookMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
                /** @description Id of a message of this subscription: `msg_…`. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message waits to be sent again. This is its state until then. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRedelivery"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. `conflict`: Conflict. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestWebhookBody"];
            };
        };
        responses: {
            /** @description The attempt. `waiting`: no dispatcher has made it within 17 s. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. `subscription_paused`: Webhook subscription paused. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a webhook subscription of this key: `sub_…`. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhookBody"];
            };
        };
        responses: {
            /** @description The messages wait to be sent. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    /** @description `true` if this repeats an earlier answer. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. `malformed_json`: Malformed JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_in_progress`: First request in progress. `conflict`: Conflict. */
            409: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: Payload too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: Unsupported media type. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: Idempotency-Key reused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEventKinds: {
        parameters: {
            query?: {
                /** @description A part of the id or name, without case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event kinds. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventKindsResult"];
                };
            };
            /** @description `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEventSamples: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                /** @description An event kind, such as `lead.created`. */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    /** @description Quota and window in seconds, such as `"key";q=100;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description Remaining requests (`r`), and seconds until the full quota is available again (`t`). */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventSamplesResult"];
                };
            };
            /** @description `bad_request`: Bad request. `validation_failed`: Validation failed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_missing`: API key missing. `key_invalid`: API key invalid. `key_revoked`: API key revoked. `key_expired`: API key expired. */
            401: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `scope_missing`: Scope missing. */
            403: {
                headers: {
                    /** @description `Bearer`, and what the key lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `method_not_allowed`: Method not allowed. */
            405: {
                headers: {
                    /** @description The methods that the path accepts. */
                    Allow?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded. */
            429: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The query and the headers are over 16 KiB together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`: Internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Temporarily unavailable. */
            503: {
                headers: {
                    /** @description How many seconds to wait before sending again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveEventCreatedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCreatedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEventUpdatedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventUpdatedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEventCancelledMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCancelledMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEventDeletedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventDeletedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLeadCreatedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadCreatedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLeadUpdatedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadUpdatedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLeadStageChangedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadStageChangedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLeadErasedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadErasedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationOpenedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationOpenedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationMessageReceivedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationMessageReceivedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationHandoffRequestedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationHandoffRequestedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationHandoffAcceptedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationHandoffAcceptedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationHandoffEndedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationHandoffEndedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationClosedMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationClosedMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationReplyMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationReplyMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSourceRefusingMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceRefusingMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookTestMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same at every attempt. */
                "webhook-id": string;
                /** @description Unix time of the attempt in seconds, as decimal digits. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between. */
                "webhook-signature": string;
                /** @description `1`: someone has asked to send this message again. */
                "webhook-redelivery"?: string;
                /** @description `1`: a test. The record is made up. */
                "webhook-test"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestMessage"];
            };
        };
        responses: {
            /** @description The subscription is removed. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All its messages wait for `Retry-After`, at most a day. So does 503. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The message is tried again for 76 hours. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
