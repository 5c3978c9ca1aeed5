/** Writes an answer, once. The payload is JSON, its length is in the headers; nobody is told where the sender has gone. */
export type Send = (status: number, headers: AnswerHeaders, payload: string) => void;

/** Made by us alone, of numbers and fixed texts: nothing that a sender wrote comes into them. */
export type AnswerHeaders = Record<string, string | number>;
