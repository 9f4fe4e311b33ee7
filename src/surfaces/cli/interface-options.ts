// The words that open the interface instead of running a command.

export interface InterfaceOptions {
  /** What new sessions run instead of the default program. */
  readonly program?: string;
}

/** Undefined where the words are those of a command. */
export function interfaceOptions(argv: readonly string[]): InterfaceOptions | undefined {
  if (argv.length === 0) return {};
  const [first = '', second, ...more] = argv;
  const [, joined] = /^--program=(.+)$/s.exec(first) ?? [];
  if (joined !== undefined && second === undefined) return { program: joined };
  const isNamed = (first === '-p' || first === '--program') && second !== undefined && second.trim() !== '';
  return isNamed && more.length === 0 ? { program: second } : undefined;
}
