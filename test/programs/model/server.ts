// A model server that follows a script, in the protocol of each program.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { type Asked, fieldsOf, type Protocol } from './protocol.ts';
import { responses } from './responses.ts';
import { nextStep, type Playbook, type Turn } from './script.ts';

export interface ModelServer {
  readonly url: string;
  /** The conversations in the requests so far, one list per request. */
  readonly requests: readonly (readonly Turn[])[];
  /** Whether a response is being held back. */
  isHolding(): boolean;
  release(): void;
  /** Switches to this playbook, and forgets earlier requests. */
  follow(playbook: Playbook): void;
  close(): void;
}

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, gemini];

export async function startModelServer(): Promise<ModelServer> {
  const requests: (readonly Turn[])[] = [];
  const held = new Set<() => void>();
  let playbook: Playbook = () => undefined;
  const release = (): void => {
    for (const go of held) go();
    held.clear();
  };

  const answer = async (protocol: Protocol, asked: Asked, response: ServerResponse): Promise<void> => {
    if (asked.hasTools) requests.push(asked.turns);
    const step = asked.hasTools ? nextStep(playbook, asked.turns) : ({ do: 'say', text: 'A title' } as const);
    if (step.do === 'hold') await new Promise<void>((go) => held.add(go));
    const { contentType, text } = protocol.write(step.do === 'hold' ? { do: 'say', text: 'Done.' } : step, asked);
    response.writeHead(200, { 'content-type': contentType }).end(text);
  };

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const protocol = PROTOCOLS.find((one) => one.path.test(path));
    if (request.method !== 'POST' || protocol === undefined) response.writeHead(404).end('{}');
    else await answer(protocol, protocol.read(fieldsOf(JSON.parse(await bodyOf(request))), path), response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    isHolding: () => held.size > 0,
    release,
    follow(next) {
      release();
      playbook = next;
      requests.length = 0;
    },
    close() {
      release();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
