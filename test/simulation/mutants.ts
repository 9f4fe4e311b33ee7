// Deliberate bugs. Each removes one thing that keeps a promise, and the simulation must turn red for every one of them.
// They are applied to the source while the simulation is bundled, so no build contains any.

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** A piece of the source that must occur exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The script that shows it, where others do not come near it. */
  readonly story?: string;
  /** The tests that detect it, if not the simulation: those with several real processes, or with a real git. */
  readonly suite?: { readonly test: string; readonly only?: string };
}

const MANY_PROCESSES = { test: 'test/e2e/many-processes.test.ts' };
const SYMBOLIC = { test: 'test/adapters/git/symbolic-refs.test.ts' };
const DIFFERENCES = { test: 'test/adapters/worktrees/differences.test.ts' };
const LINKS = { test: 'test/adapters/worktrees/integrity.test.ts' };
const deceived = (only: string) => ({ test: 'test/e2e/runs-deceived.test.ts', only });

const EDITED = 'a workshop is paused and cancelled, its planner dies, and people edit and delete its files';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'what is verified need not be the commit',
    file: 'src/engine/effects/verify.ts',
    find: '  await restoreCommit(ports, tree, effect);\n',
    replace: '',
  },
  {
    name: 'a merge moves the branch that the plan branch leads to',
    file: 'src/adapters/worktrees/move-branch.ts',
    find: '`option no-deref\\nupdate ${pin} ${to}\\noption no-deref\\n${move}\\n`',
    replace: '`option no-deref\\nupdate ${pin} ${to}\\n${move}\\n`',
    suite: SYMBOLIC,
  },
  {
    name: 'a reset moves the branch that the run branch leads to',
    file: 'src/adapters/worktrees/undo.ts',
    find: '  if (branch !== undefined) await separateBranch(context, branch);\n',
    replace: '  void separateBranch;\n',
    suite: SYMBOLIC,
  },
  {
    name: 'a tag with the name of the plan branch is what the person merges',
    file: 'src/adapters/git/plan-branches.ts',
    find: 'const refs = [`refs/${branch}`, `refs/tags/${branch}`];',
    replace: 'const refs = [`refs/${branch}`];',
    suite: deceived('tag'),
  },
  {
    name: 'git does not look at modes, as an agent has told it',
    file: 'src/adapters/worktrees/file-status.ts',
    find: "modeOf(file) === '100755' ? ['core.fileMode'] : [];",
    replace: "modeOf(file) === '' ? ['core.fileMode'] : [];",
    suite: DIFFERENCES,
  },
  {
    name: 'a commit that has only the name of another repository is verified',
    file: 'src/engine/effects/verify.ts',
    find: '  if (folder === undefined) return undefined;\n  const name = showText(folder);',
    replace: '  if (folder !== "") return undefined;\n  const name = showText(folder);',
    suite: deceived('repository'),
  },
  {
    name: 'a worktree is restored with the HEAD that an agent made',
    file: 'src/adapters/worktrees/relink.ts',
    find: "[[join(link.folder, 'HEAD'), `ref: ${ref}\\n`] as const, ...link.files.toReversed()]",
    replace: 'link.files.toReversed()',
    suite: LINKS,
  },
  {
    name: 'no sync before acknowledging',
    file: 'src/adapters/journal/segments.ts',
    find: '      this.#writeOrUndo(file, at, bytes);\n      this.#syncOrStop(path, () => this.#disk.sync(file));\n',
    replace: '      this.#writeOrUndo(file, at, bytes);\n',
  },
  {
    name: 'the name of a new segment is not synced',
    file: 'src/adapters/journal/segments.ts',
    find: '        this.#disk.sync(file);\n        this.#syncName(first);\n',
    replace: '        this.#disk.sync(file);\n        this.#named = first;\n',
  },
  {
    name: 'an empty segment of another process is written to before its name is durable',
    file: 'src/adapters/journal/segments.ts',
    find: 'if (at.offset === 0 && at.segment !== this.#named)',
    replace: 'if (at.offset < 0)',
  },
  {
    name: 'a torn end is not cut off',
    file: 'src/adapters/journal/file-journal.ts',
    find: 'if (torn > 0)',
    replace: 'if (torn < 0)',
  },
  {
    name: 'records do not say where their commit starts',
    file: 'src/adapters/journal/segments.ts',
    find: '{ ...record, first: head.seq }',
    replace: 'record',
  },
  {
    name: 'effects are not in the record',
    file: 'src/core/journal/fold.ts',
    find: 'for (const effect of record.effects ?? []) draft.outbox.set(effect.id, effect);',
    replace: '',
  },
  {
    name: 'an effect is not acknowledged',
    file: 'src/engine/effects/runner.ts',
    find: "done.push(...(await this.#perform(world, effect)), { kind: 'effect-done', effect: effect.id });",
    replace: 'done.push(...(await this.#perform(world, effect)));',
  },
  {
    name: 'repeated signals are not recognised',
    file: 'src/core/rules/signal/quarantine.ts',
    find: 'if (!world.taken.has(id)) return undefined;',
    replace: 'if (Date.now() > 0) return undefined;',
  },
  {
    name: 'signals are removed before the commit',
    file: 'src/engine/take-signals.ts',
    find: '  const counted = [...surplus.values()].map(({ event }) => event);\n',
    replace:
      '  const counted = [...surplus.values()].map(({ event }) => event);\n  for (const { signal } of taken) inbox.remove(signal);\n',
  },
  {
    name: 'refused signals are removed instead of kept',
    file: 'src/engine/take-signals.ts',
    find: "return answer?.kind === 'accepted' ||",
    replace: "return answer?.kind === 'refused' || answer?.kind === 'accepted' ||",
  },
  {
    name: 'the journal is written without its lock',
    file: 'src/adapters/system/lock.ts',
    find: 'if (flock.tryLock(file) && isStillNamed(file, path)) {',
    replace: 'if (isStillNamed(file, path)) {',
    suite: MANY_PROCESSES,
  },
  {
    name: 'records of other processes are not read under the lock',
    file: 'src/adapters/journal/file-journal.ts',
    find: 'const { records, position, torn } = segments.read(after);',
    replace:
      'const { records, position, torn } = after.segment === 0 ? segments.read(after) : { records: [], position: after, torn: 0 };',
  },
  {
    name: 'unsynced records of a killed process are built upon',
    file: 'src/adapters/journal/file-journal.ts',
    find: '    this.#ports.segments.confirm(position);\n',
    replace: '',
  },
  {
    name: 'plan-state.json is not written after a move',
    file: 'src/engine/projection.ts',
    find: "    if (before.kind === 'good') {\n      replace(world, before.file);\n      return [];\n    }",
    replace: "    if (before.kind === 'good') return [];",
  },
  {
    name: 'plan-state.json is not updated after a crash',
    file: 'src/engine/projection.ts',
    find: '  return [...world.plans.values()].some((entry) => read.file.plans.get(entry.plan)?.status !== entry.status);',
    replace: '  return read.file.plans.size === 0 && world.plans.size > 0;',
  },
  {
    name: 'a file is replaced without being synced first',
    file: 'src/adapters/system/files.ts',
    find: '    writeAll(disk, file, bytes);\n    disk.sync(file);',
    replace: '    writeAll(disk, file, bytes);',
  },
  {
    name: 'a message is not synced before it is in the box',
    file: 'src/adapters/signals/dropbox.ts',
    find: '    syncUpwards(disk, dirname(target), 6);\n',
    replace: '',
  },
  {
    name: 'a failed sync is ignored',
    file: 'src/adapters/journal/segments.ts',
    find: '      if (systemCode(error) === undefined) throw error;\n      this.#stopped',
    replace: '      if (systemCode(error) !== undefined) return;\n      this.#stopped',
  },
  {
    name: 'a failed write is ignored',
    file: 'src/adapters/journal/segments.ts',
    find: '        throw this.#stopped;\n      }\n      throw failure;',
    replace: '        throw this.#stopped;\n      }',
  },
  {
    name: 'the role of an agent is not checked',
    file: 'src/core/rules/plan/move.ts',
    find: "if (by.who === 'agent' && !rolesFor(event).includes(by.role)) return wrongRole(by, event);",
    replace: '',
  },
  {
    name: 'agents may cause user-only events',
    file: 'src/core/rules/plan/move.ts',
    find: "if (by.who === 'user') return undefined;",
    replace: "if (by.who === 'user' || isUserOnly(planMachine, event)) return undefined;",
  },
  {
    name: 'the end of a program is not noticed',
    file: 'src/engine/loop.ts',
    find: '    await checkSessions(ports, limit, effects, seenFrom(ports.machine, await ports.gateway.look()));\n',
    replace: '',
  },
  {
    name: 'a task that was removed from the file is forgotten',
    file: 'src/core/journal/fold.ts',
    find: 'return task === undefined ? [] : [{ ...task, address, stale: true }];',
    replace: 'return task === undefined || address !== undefined ? [] : [{ ...task, address, stale: true }];',
  },
  {
    name: 'the reason of a refusal is not written if the original was moved earlier',
    file: 'src/adapters/signals/quarantine.ts',
    find: '        const kept = whereKept(refused) ?? moveAside(refused);',
    replace:
      '        if (whereKept(refused) !== undefined) return;\n        const kept = whereKept(refused) ?? moveAside(refused);',
  },
  {
    name: 'time in which no engine was awake counts',
    file: 'src/core/journal/fold.ts',
    find: '        draft.plans.set(plan, afterGap(entry, { from: record.from, to: record.at }));',
    replace: '        void afterGap(entry, { from: plan, to: plan });',
  },
  {
    name: 'an engine that wakes up beats before the gap is recorded',
    file: 'src/engine/awake.ts',
    find: "if (last !== undefined && Math.abs(now.getTime() - last) >= SHORTEST_GAP) await gateway.submit([], 'then');",
    replace: 'void gateway; void last;',
  },
  {
    name: 'a branch moves before the journal knows',
    file: 'src/engine/effects/branch-moves.ts',
    find: "    const { answers } = await gateway.submit([{ kind: 'intend-move', plan, move }], 'then');\n    return answers[0]?.kind === 'accepted';",
    replace: '    void move;\n    return true;',
  },
  {
    name: 'a move that was cut off is not finished',
    file: 'src/engine/effects/branch-moves.ts',
    find: "  if (answer.kind === 'merged') await ports.gateway.submit([finished(world, plan, moving)], 'then');\n",
    replace: '',
  },
  {
    name: 'an edited file of a workshop is overwritten',
    file: 'src/adapters/plans/planning-files.ts',
    find: 'if (found === undefined || wasWritten(name, found)) return;',
    replace: 'if (found === undefined || wasWritten(name, found) || name.length > 0) return;',
  },
  {
    name: 'the files of a workshop are written in place',
    file: 'src/adapters/plans/planning-files.ts',
    find: '      replaceFile(disk, path, Buffer.from(text));\n    }\n',
    replace:
      "      const file = disk.open(path, 'write');\n      disk.write(file, Buffer.from(text));\n      disk.sync(file);\n      disk.close(file);\n    }\n",
    story: EDITED,
  },
  {
    name: 'an approved plan does not replace the one before',
    file: 'src/adapters/plans/planning-files.ts',
    find: '        if (found === text) {\n',
    replace: '        if (found !== undefined) {\n',
  },
  {
    name: 'a planner that asks again what was answered is heard',
    file: 'src/core/rules/workshop/round.ts',
    find: "if (before === undefined || before.state === 'withdrawn') return true;",
    replace: 'if (before === undefined || before.id !== "") return true;',
  },
  {
    name: 'a repaired document is taken for the invalid one',
    file: 'src/core/rules/workshop/round.ts',
    find: '  const entered = world.seq + 1;\n',
    replace: '  const entered = workshop.entered;\n',
  },
];
