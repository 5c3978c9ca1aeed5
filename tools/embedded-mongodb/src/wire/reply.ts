import { HEADER_SIZE, OP_MSG, OP_REPLY } from './message.ts';

let lastId = 0;

/** An OP_MSG with the document as its body. */
export function msgReply(responseTo: number, document: Uint8Array): Buffer {
  const head = header(HEADER_SIZE + 5, document, responseTo, OP_MSG); // flags 0, then a section of kind 0
  return Buffer.concat([head, document]);
}

/** The OP_REPLY that answers an OP_QUERY. */
export function queryReply(responseTo: number, document: Uint8Array): Buffer {
  const head = header(HEADER_SIZE + 20, document, responseTo, OP_REPLY); // flags, cursor id and start are 0
  head.writeInt32LE(1, HEADER_SIZE + 16); // one document
  return Buffer.concat([head, document]);
}

function header(size: number, document: Uint8Array, responseTo: number, code: number): Buffer {
  const head = Buffer.alloc(size);
  lastId = (lastId + 1) & 0x7fffffff;
  head.writeInt32LE(size + document.length, 0);
  head.writeInt32LE(lastId, 4);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(code, 12);
  return head;
}
