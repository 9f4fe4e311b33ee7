// The programs that show a notification on the desktop, and how each is called.

export interface DesktopProgram {
  readonly program: string;
  /** Whether there is a desktop that it could show something on. */
  hasDesktop(env: NodeJS.ProcessEnv): boolean;
  argv(title: string, text: string): readonly string[];
}

/** In the order of preference. */
export const DESKTOP_PROGRAMS: readonly DesktopProgram[] = [
  {
    program: 'terminal-notifier',
    hasDesktop: () => true,
    // It reads values that start with one of these as something else than text.
    argv: (title, text) => {
      const plain = (value: string): string => value.replace(/^(?=[-[({"<@\\])/, '\\');
      return ['terminal-notifier', '-title', plain(title), '-message', plain(text)];
    },
  },
  {
    program: 'osascript',
    hasDesktop: () => true,
    argv: (title, text) => [
      'osascript',
      ...['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'].flatMap(
        (line) => ['-e', line],
      ),
      '--',
      title,
      text,
    ],
  },
  {
    program: 'notify-send',
    hasDesktop: (env) => [env.DISPLAY, env.WAYLAND_DISPLAY, env.DBUS_SESSION_BUS_ADDRESS].some(Boolean),
    // It expands backslashes in the text, and the desktop reads that as markup.
    argv: (title, text) => {
      const plain = text.replaceAll('\\', '\\\\').replace(/[&<>]/g, (character) => ENTITIES.get(character) ?? '');
      return ['notify-send', '--app-name=cadre', '--', title, plain];
    },
  },
];

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);
