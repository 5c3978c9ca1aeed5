// Loaded into a dispatcher before its code. The name REBOUND_HOST has a public address once and 127.0.0.1 from then on. The public
// address leads to this machine, so that nothing leaves it.
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');
const { TCP } = process.binding('tcp_wrap');

const PUBLIC = '93.184.215.14';
const LOOPBACK = '127.0.0.1';

let lookups = 0;
const { lookup } = dns.promises;
dns.promises.lookup = async (host, options) => {
  if (host !== process.env.REBOUND_HOST) return lookup(host, options);
  lookups += 1;
  const found = { address: lookups === 1 ? PUBLIC : LOOPBACK, family: 4 };
  return options?.all ? [found] : found;
};
syncBuiltinESMExports();

const { connect } = TCP.prototype;
TCP.prototype.connect = function connectHere(request, address, ...rest) {
  return connect.call(this, request, address === PUBLIC ? LOOPBACK : address, ...rest);
};
