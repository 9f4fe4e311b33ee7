// The tools of "cadre mcp": each sends a signal that the role may send, and the page lists them all.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROLES, type Role, SIGNALS } from '../../src/signals/registry.ts';
import { PERSON_TOOLS } from '../../src/surfaces/mcp/person-tools.ts';
import { SESSION_TOOLS } from '../../src/surfaces/mcp/session-tools.ts';

/** Something that each tool takes. */
const GIVEN: Readonly<Record<string, object>> = {
  ask: { question: 'Which?' },
  propose: { proposal: 'So.' },
  review: { verdict: 'changes', findings: [{ severity: 'minor', problem: 'A name.' }] },
  answer: { text: 'Yes.' },
  propose_plan: { document: {} },
};

function signalOf(argv: readonly string[]): string | undefined {
  return argv[0] === 'signal' ? argv.at(-1) : undefined;
}

function maySend(role: Role, name: string): boolean {
  const signal = SIGNALS.find((one) => one.name === name);
  return [signal?.plan, signal?.run, signal?.workshop].some((part) => part?.roles.includes(role));
}

test.each(ROLES.map((role) => [role]))('the tools of the role %s send only what it may send', (role) => {
  for (const { name, call } of SESSION_TOOLS[role]) {
    const signal = signalOf(call(GIVEN[name] ?? {}, ['x#1']).argv);
    if (signal !== undefined) expect(maySend(role, signal), `${name} sends ${signal}`).toBe(true);
  }
});

test('a tool that does not only read sends a signal, and no tool of a reader does', () => {
  for (const { name, isRead, call } of ROLES.flatMap((role) => SESSION_TOOLS[role]))
    expect(signalOf(call(GIVEN[name] ?? {}, []).argv) === undefined, name).toBe(isRead);
});

test('what a tool does not know is refused before a command runs', () => {
  const [review] = SESSION_TOOLS.reviewer.filter(({ name }) => name === 'review');
  expect(() => review?.call({ verdict: 'perhaps' }, [])).toThrow();
  expect(() => review?.call({ verdict: 'approved', approve_all: true }, [])).toThrow();
});

test('docs/mcp.md names every tool', () => {
  const page = readFileSync('docs/mcp.md', 'utf8');
  for (const { name } of [...PERSON_TOOLS, ...ROLES.flatMap((role) => SESSION_TOOLS[role])])
    expect(page).toContain(`\`${name}\``);
});
