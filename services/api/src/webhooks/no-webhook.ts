import { notFound } from '../http/result.ts';

/** The account has no such subscription, or has deleted it. */
export const NO_WEBHOOK = notFound('webhook subscription');
