import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';

/** Sends one request through the proxy of HTTPS_PROXY, or directly to a host of NO_PROXY. Rejects without a response. */
export async function requestByProxy(url: URL, settings: object) {
  const options = {
    ...settings,
    dispatcher: new EnvHttpProxyAgent(),
  } as unknown as Dispatcher.RequestOptions;
  const { statusCode, statusText: statusMessage, headers, body } = await request(url, options);
  return Object.assign(body, { statusCode, statusMessage, headers });
}
