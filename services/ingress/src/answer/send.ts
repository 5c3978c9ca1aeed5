/** Writes a response, once. The payload is JSON, and the headers have its length. A closed connection is ignored. */
export type Send = (status: number, headers: AnswerHeaders, payload: string) => void;

/** Only numbers and fixed texts: no header has a text from the sender. */
export type AnswerHeaders = Record<string, string | number>;
