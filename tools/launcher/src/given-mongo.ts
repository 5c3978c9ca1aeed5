import { withoutCredentials } from '@sluice/runtime/config/without-credentials';
import { connectStore } from '@sluice/store/connect';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import { mongoRefusal } from '@sluice/store/connection/mongo-refusal';

const ANSWER_MS = 10_000;

export type GivenMongo = { readonly ok: true } | { readonly ok: false; readonly detail: string };

export interface MongoCheck {
  readonly url: string;
  readonly namespace: string;
  /** Timeout for its response. Milliseconds. */
  readonly answerMs?: number;
}

/** Checks that the MongoDB of MONGO_URL answers, because the services would wait for it without a limit. */
export async function checkGivenMongo({
  url,
  namespace,
  answerMs = ANSWER_MS,
}: MongoCheck): Promise<GivenMongo> {
  const store = connectStore({ url, namespace, serverSelectionMs: answerMs });
  try {
    await store.opened();
    return { ok: true };
  } catch (error) {
    const { message } = error as Error;
    const where = `MongoDB at ${withoutCredentials(url)} (MONGO_URL)`;
    const refusal = mongoRefusal(error);
    if (refusal !== undefined)
      return { ok: false, detail: `${where} refuses the connection (${refusal.said}). ${refusal.advice}` };
    const trouble = isMongoAway(error)
      ? `does not answer: ${message}. Start it, or unset MONGO_URL so that npm start starts one.`
      : `refuses the connection: ${message}. Correct the address in MONGO_URL.`;
    return { ok: false, detail: `${where} ${trouble}` };
  } finally {
    await store.close();
  }
}
