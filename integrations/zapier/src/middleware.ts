import type { AfterResponseMiddleware, BeforeRequestMiddleware } from 'zapier-platform-core';
import { apiAddress } from './api';
import { readRejection } from './problem';

/** Adds the API key, to requests to the user's own server only. */
export const authorizeRequest: BeforeRequestMiddleware = (request, z, bundle) => {
  if (!bundle.authData.base_url || !request.url.startsWith(`${apiAddress(z, bundle)}/`)) return request;
  request.headers = {
    ...request.headers,
    Accept: 'application/json',
    Authorization: `Bearer ${bundle.authData.api_key}`,
  };
  // A redirect could carry the key elsewhere.
  request.redirect = 'manual';
  return request;
};

/** Turns a response that is not 2xx into the error that Zapier treats as it deserves, with the sentence of the API. */
export const throwProblem: AfterResponseMiddleware = (response, z) => {
  if (response.status < 300 || response.skipThrowForStatus) return response;
  if (response.status === response.request.middlewareData?.allows) {
    response.skipThrowForStatus = true;
    return response;
  }
  if (response.status < 400)
    throw new z.errors.Error(
      'The base URL redirects to another address. Enter the address of your Sluice dashboard.',
      'base_url',
      response.status,
    );
  const { status, sentence, code, waitSeconds } = readRejection(
    response.status,
    response.content,
    response.getHeader('retry-after'),
  );
  if (status === 401) throw new z.errors.ExpiredAuthError(sentence);
  // 409 with Retry-After: the first try of the step is still in progress, and a repeat gets its response.
  if (status === 429 || ((status === 503 || status === 409) && waitSeconds !== undefined))
    throw new z.errors.ThrottledError(sentence, waitSeconds);
  throw new z.errors.Error(sentence, code, status);
};
