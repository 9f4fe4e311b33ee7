// What goes through the socket of a session: one JSON document a line. Bytes are in base64.
import type * as net from 'node:net';

/** In bytes. A larger line is an error, so that a session cannot fill cadre's memory. */
export const LONGEST_LINE = 8 * 1_024 * 1_024;

/** Calls back for each line, and once with `undefined` where a line is too long. */
export function eachLine(socket: net.Socket, heard: (line: string | undefined) => void): void {
  let rest = Buffer.alloc(0);
  let isOver = false;
  socket.on('data', (bytes: Buffer) => {
    if (isOver) return;
    rest = Buffer.concat([rest, bytes]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
      heard(line);
    }
    if (rest.length <= LONGEST_LINE) return;
    isOver = true;
    heard(undefined);
  });
}

export function writeLine(socket: net.Socket, document: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(document)}\n`);
}

export function bytesIn(text: unknown): Buffer | undefined {
  return typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
}
