import type { ProxyWatch } from '@sluice/runtime/http/proxy-watch';
import type { Authenticate } from '../http/signed-in.ts';

/** Checks signed-in requests only, because anyone can send the header. */
export function watchProxy(authenticate: Authenticate, watch: ProxyWatch): Authenticate {
  return async (request, response, options) => {
    const who = await authenticate(request, response, options);
    if (!('outcome' in who)) watch.saw(request.headers);
    return who;
  };
}
