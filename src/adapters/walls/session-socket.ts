// The socket through which the agent of a session speaks from behind its wall. Only that session has it, so what is said
// there comes from that session. Each command runs outside, as the session, and in the rights of its role.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { diskFailure, systemCode } from '../../core/model/failure.ts';
import { asRole } from '../../signals/registry.ts';
import { type SessionCommand, type Speaker, sessionCommand } from '../../signals/session-commands.ts';
import { type Piped, startPiped } from '../system/exec.ts';
import { bytesIn, eachLine, writeLine } from './lines.ts';

/** The name of the socket in the folder that is mounted behind the wall. */
export const SOCKET = 'cadre';

export interface SessionSocketOptions {
  /** The folder of the session, where cadre keeps what belongs to it. */
  readonly folder: string;
  /** The start of the argument list that calls cadre. */
  readonly cadre: readonly string[];
  /** The main checkout. */
  readonly cwd: string;
  /** The environment of the session's commands, by which they speak for it. */
  env(): Readonly<Record<string, string>>;
}

export interface SessionSocket {
  close(): void;
}

/** What is mounted behind the wall. */
export function speakingIn(folder: string): string {
  return join(folder, 'speaking');
}

/** Remembered outside the wall, so that another engine can listen for the session. */
export function rememberSpeaker(folder: string, speaker: Speaker): void {
  try {
    mkdirSync(speakingIn(folder), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'speaker.json'), `${JSON.stringify(speaker)}\n`, { mode: 0o600 });
  } catch (error) {
    throw diskFailure(error, 'write', folder);
  }
}

/** Undefined where the session is not behind a wall. */
export function rememberedSpeaker(folder: string): Speaker | undefined {
  try {
    const { session, role, plan, task } = Object(JSON.parse(readFileSync(join(folder, 'speaker.json'), 'utf8')));
    const known = asRole(role);
    if (typeof session !== 'string' || known === undefined) return undefined;
    return {
      session,
      role: known,
      ...(typeof plan === 'string' ? { plan } : {}),
      ...(typeof task === 'string' ? { task } : {}),
    };
  } catch {
    return undefined;
  }
}

/** A session that asks for more at the same time is told to wait. */
const MOST_COMMANDS = 8;

/** The command has to come within this, in milliseconds. */
const COMMAND_WITHIN = 10_000;

/** Undefined where the session is not behind a wall. */
export function listenForSession(options: SessionSocketOptions): SessionSocket | undefined {
  const speaker = rememberedSpeaker(options.folder);
  if (speaker === undefined) return undefined;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    if (open.size > MOST_COMMANDS) return refuse(socket, 'Too many commands of this session run at the same time.');
    serve(options, speaker, socket);
  });
  const folder = openFolder(speakingIn(options.folder));
  if (folder === undefined) return undefined;
  listen(server, folder);
  return {
    close() {
      server.close();
      for (const socket of open) socket.destroy();
      closeSync(folder);
    },
  };
}

function openFolder(path: string): number | undefined {
  try {
    rmSync(join(path, SOCKET), { force: true });
    return openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** By the folder's descriptor: the path of a socket may have 107 bytes only, and cadre's folders are often deeper. */
function listen(server: Server, folder: number): void {
  // What cannot be listened to is as if no engine was running; the agent is told so.
  server.on('error', () => undefined);
  server.listen(`/proc/self/fd/${folder}/${SOCKET}`);
  server.unref();
}

function refuse(socket: Socket, why: string): void {
  writeLine(socket, { refused: why });
  socket.end();
}

function serve(options: SessionSocketOptions, speaker: Speaker, socket: Socket): void {
  let program: Piped | undefined;
  const timer = setTimeout(() => refuse(socket, 'No command came.'), COMMAND_WITHIN);
  socket.once('close', () => {
    clearTimeout(timer);
    program?.input.end();
  });
  eachLine(socket, (line) => {
    const said = line === undefined ? undefined : documentIn(line);
    if (said === undefined) return refuse(socket, 'This is not a message that cadre understands.');
    if (program !== undefined) return passOn(program, said);
    clearTimeout(timer);
    const command = commandIn(speaker, said);
    if (command.kind === 'refused') return refuse(socket, command.why);
    program = run(options, command, socket);
  });
}

function documentIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const document: unknown = JSON.parse(line);
    return typeof document === 'object' && document !== null ? { ...document } : undefined;
  } catch {
    return undefined;
  }
}

function commandIn(speaker: Speaker, { argv }: Readonly<Record<string, unknown>>): SessionCommand {
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === 'string' && !word.includes('\0')))
    return { kind: 'refused', why: 'The message names no command.' };
  return sessionCommand(speaker, argv);
}

/** The input of the command, in parts, and its end. */
function passOn({ input }: Piped, said: Readonly<Record<string, unknown>>): void {
  const bytes = bytesIn(said.input);
  if (bytes !== undefined && input.writable) input.write(bytes);
  if (said.end === true) input.end();
}

type Runnable = Extract<SessionCommand, { kind: 'run' }>;

function run({ cadre, cwd, env }: SessionSocketOptions, { argv, input }: Runnable, socket: Socket): Piped {
  const program = startPiped([...cadre, ...argv], { cwd, env: env() });
  if (input === 'none') program.input.end();
  program.output.on('data', (bytes: Buffer) => writeLine(socket, { output: bytes.toString('base64') }));
  program.errors.on('data', (bytes: Buffer) => writeLine(socket, { errors: bytes.toString('base64') }));
  void program.ended.then((code) => {
    writeLine(socket, { code });
    socket.end();
  });
  return program;
}
