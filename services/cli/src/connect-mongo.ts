import { withoutCredentials } from '@sluice/runtime/config/without-credentials';
import type { Store } from '@sluice/store/connect';
import { CONNECT_TIMEOUT_MS, type OnClose } from './connecting.ts';
import { failed, tryAgainLater } from './exit-codes.ts';

/** Connects to MongoDB. Throws a failure with what to do if it is away, refuses, or is of a newer version of Sluice. */
export async function connectToMongo(
  { url, namespace }: { readonly url: string; readonly namespace: string },
  onClose: OnClose,
): Promise<Store> {
  const { connectStore } = await import('@sluice/store/connect');
  const { isMongoAway } = await import('@sluice/store/connection/mongo-away');
  const { mongoRefusal } = await import('@sluice/store/connection/mongo-refusal');
  const { whyTooNew } = await import('@sluice/store/schema/schema-version');
  const opened = connectStore({ url, namespace, serverSelectionMs: CONNECT_TIMEOUT_MS });
  onClose(() => opened.close());
  await opened.opened().catch((error: Error) => {
    const where = withoutCredentials(url);
    const reason = error.message;
    const refusal = mongoRefusal(error);
    if (refusal === undefined && isMongoAway(error))
      throw tryAgainLater(
        `MongoDB at ${where} doesn't respond (${reason}). Start it and run this command again.`,
      );
    const advice = refusal?.advice ?? 'Correct the address in MONGO_URL.';
    throw failed(`MongoDB at ${where} refuses the connection (${reason}). ${advice}`);
  });
  const fit = await opened.schema();
  if (fit.status === 'too_new') throw failed(whyTooNew(fit));
  return opened;
}
