import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** The proxies that may name the sender's address: all, none, a number of hops, or addresses (Express's `trust proxy`). */
export type TrustProxy = boolean | number | string[];

/** The parts of a request that name its sender's address. */
export type Addressed = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/** The address of a request's sender, behind the trusted proxies. It is undefined if the connection has closed. */
export type AddressOf = (request: Addressed) => string | undefined;

/** Finds addresses as Express's `request.ip` does. */
export function createAddressOf(trustProxy: TrustProxy): AddressOf {
  const trusts = trustOf(trustProxy);
  return (request) => proxyAddr(request as IncomingMessage, trusts);
}

function trustOf(trustProxy: TrustProxy): (address: string, hop: number) => boolean {
  switch (typeof trustProxy) {
    case 'boolean':
      return () => trustProxy;
    case 'number':
      return (_address, hop) => hop < trustProxy;
    default:
      return proxyAddr.compile(trustProxy);
  }
}
