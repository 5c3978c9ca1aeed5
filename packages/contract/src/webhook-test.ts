import * as z from 'zod';

/** The data of a message of the kind `webhook.test`. */
export const webhookTest = z.object({
  id: z.string().meta({ description: 'Id of the subscription.' }),
  message: z.string(),
});
export type WebhookTestRecord = z.infer<typeof webhookTest>;

export const TEST_MESSAGE = 'This is a test. If you can read it, the subscription works.';
