const { createHash } = require('node:crypto');
const contract = require('../contract.json');

/** A flow can pass a whole record on: fields that Sluice sets are left out, and unknown ones are still rejected. */
const SET_BY_SLUICE = new Set([
  ...contract.lead_fields.filter(({ read_only }) => read_only).map(({ key }) => key),
  'previous',
  'created',
]);

/** The body of a write from a payload. Throws if it is no object. */
function leadBody(payload) {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload) || Buffer.isBuffer(payload))
    throw new Error(
      'msg.payload must be an object with the fields of the lead. Example: {"email":"ada@example.com"}',
    );
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !SET_BY_SLUICE.has(key)));
}

/** The key that makes a repeated message write once: the node, the message and the hash of the body. */
function idempotencyKey(node, msg, body) {
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  return `node-red:${node.id}:${msg._msgid}:${hash}`;
}

/** The id that a property of the node names. Throws a sentence if the message has none. */
function idFrom(RED, node, msg, { value, type, what }) {
  const id = RED.util.evaluateNodeProperty(value, type || 'msg', node, msg);
  if (typeof id === 'string' && id !== '') return encodeURIComponent(id);
  throw new Error(`The message has no ID of the ${what} in ${type === 'str' ? 'the node' : `msg.${value}`}.`);
}

/** Filters by a value that belongs to one record. Without its value, every record would match. */
const IDENTIFYING = ['email', 'phone', 'external_id', 'lead_id'];

/**
 * The filters of a list, from the payload of a message. Anything else than an object is no filter. Null: no filter that
 * identifies a record has a value, so nothing matches.
 */
function filters(payload) {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return {};
  const named = IDENTIFYING.filter((name) => name in payload);
  const isEmpty = (name) => String(payload[name] ?? '').trim() === '';
  return named.length > 0 && named.every(isEmpty) ? null : payload;
}

module.exports = { leadBody, idempotencyKey, idFrom, filters };
