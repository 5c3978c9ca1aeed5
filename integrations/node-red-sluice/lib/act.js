const { createHash, randomUUID } = require('node:crypto');
const contract = require('../contract.json');

/** A flow can pass a whole record on: fields that Sluice sets are left out, and unknown ones are still rejected. */
const SET_BY_SLUICE = new Set([
  ...contract.lead_fields.filter(({ read_only }) => read_only).map(({ key }) => key),
  'previous',
  'created',
]);

/** The fields of a lead that are texts. */
const TEXTS = contract.lead_fields.filter(({ type }) => type === 'string').map(({ key }) => key);

/**
 * The body of a write from a payload. A field with an empty text is left out, so that it keeps its value: null clears it. A number
 * in a field of text becomes a text. Throws if the payload is no object.
 */
function leadBody(payload) {
  if (!isObject(payload))
    throw new Error(
      'msg.payload must be an object with the fields of the lead. Example: {"email":"ada@example.com"}',
    );
  const body = filled(payload);
  for (const key of SET_BY_SLUICE) delete body[key];
  for (const key of TEXTS) if (key in body) body[key] = asText(body[key]);
  if (Array.isArray(body.tags)) body.tags = body.tags.map(asText);
  return isObject(body.fields) ? { ...body, fields: filled(body.fields) } : body;
}

/** A number, such as a phone number from a sheet, becomes a text. Other values stay. */
function asText(value) {
  return typeof value === 'number' ? String(value) : value;
}

function filled(fields) {
  const isFilled = (value) => typeof value !== 'string' || value.trim() !== '';
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)));
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** The key that makes a repeated message write once: the node, the message and the hash of the body. */
function idempotencyKey(node, msg, body) {
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  return `node-red:${node.id}:${msg._msgid}:${hash}`;
}

/**
 * The key of a create or update. Where a field finds the lead, a repeat makes no second one, so the key is
 * another one for each run: of A, B and A with one message ID, the last A is written too. The tries of one run share it.
 */
function upsertKey(node, msg, body, matchOn) {
  const names = matchOn.split(',').map((name) => name.trim());
  const finds = ['email', 'external_id', 'phone'].some(
    (name) => names.includes(name) && canFind(name, body[name]),
  );
  return finds ? `node-red:${node.id}:${randomUUID()}` : idempotencyKey(node, msg, body);
}

/** Whether a value can find a lead. Sluice finds none by a phone number without digits, or with zeros alone. */
function canFind(name, value) {
  return name === 'phone' ? /[1-9]/.test(String(value ?? '').normalize('NFKC')) : Boolean(value);
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
  if (!isObject(payload)) return {};
  const named = IDENTIFYING.filter((name) => name in payload);
  const isEmpty = (name) => String(payload[name] ?? '').trim() === '';
  return named.length > 0 && named.every(isEmpty) ? null : payload;
}

module.exports = { asText, leadBody, idempotencyKey, upsertKey, idFrom, filters };
