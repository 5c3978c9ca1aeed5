// Loaded into a dispatcher before its code. The name REBOUND_HOST has a public address once and 127.0.0.1 from then on. The public
// address leads to this machine, so that nothing leaves it.
const dns = require('node:dns');
const { TCP } = process.binding('tcp_wrap');

const PUBLIC = '93.184.215.14';
const LOOPBACK = '127.0.0.1';

let lookups = 0;
const { prototype } = dns.promises.Resolver;
const { resolve4 } = prototype;
prototype.resolve4 = async function resolveHere(host) {
  if (host !== process.env.REBOUND_HOST) return resolve4.call(this, host);
  lookups += 1;
  return [lookups === 1 ? PUBLIC : LOOPBACK];
};

const { connect } = TCP.prototype;
TCP.prototype.connect = function connectHere(request, address, ...rest) {
  return connect.call(this, request, address === PUBLIC ? LOOPBACK : address, ...rest);
};
