// A model without a mind: it does what its script says, in whichever way the program speaks to it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { type Asked, type Dialect, fieldsOf } from './dialect.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import { nextStep, type Playbook, type Turn } from './script.ts';

export interface ModelServer {
  readonly url: string;
  /** What the programs have said so far, one list a request. */
  readonly heard: readonly (readonly Turn[])[];
  /** Whether an answer is kept back now. */
  isHolding(): boolean;
  letGo(): void;
  /** From now on this is followed, and nothing was heard before. */
  follow(playbook: Playbook): void;
  close(): void;
}

const DIALECTS: readonly Dialect[] = [anthropic, responses, chat, gemini];

export async function startModelServer(): Promise<ModelServer> {
  const heard: (readonly Turn[])[] = [];
  const held = new Set<() => void>();
  let playbook: Playbook = () => undefined;
  const letGo = (): void => {
    for (const go of held) go();
    held.clear();
  };

  const answer = async (dialect: Dialect, asked: Asked, response: ServerResponse): Promise<void> => {
    if (asked.hasTools) heard.push(asked.turns);
    const step = asked.hasTools ? nextStep(playbook, asked.turns) : ({ do: 'say', text: 'A title' } as const);
    if (step.do === 'hold') await new Promise<void>((go) => held.add(go));
    const { contentType, text } = dialect.write(step.do === 'hold' ? { do: 'say', text: 'So be it.' } : step, asked);
    response.writeHead(200, { 'content-type': contentType }).end(text);
  };

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const dialect = DIALECTS.find((one) => one.path.test(path));
    if (request.method !== 'POST' || dialect === undefined) response.writeHead(404).end('{}');
    else await answer(dialect, dialect.read(fieldsOf(JSON.parse(await bodyOf(request))), path), response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    isHolding: () => held.size > 0,
    letGo,
    follow(next) {
      letGo();
      playbook = next;
      heard.length = 0;
    },
    close() {
      letGo();
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
