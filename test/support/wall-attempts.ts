// What a command behind the wall tries, and whether it succeeds. docs/safety.md has the same table.

export interface Attempt {
  readonly what: string;
  /** For sh; it succeeds if the attempt does. The variables are those of `WallBench`. */
  readonly sh: string;
  readonly answer: 'yes' | 'no' | 'private';
}

/** `private`: it succeeds, and changes nothing that exists outside. */
export const ATTEMPTS: readonly Attempt[] = [
  { what: 'read a file of its worktree', sh: 'cat file.txt', answer: 'yes' },
  { what: 'write a file in its worktree', sh: 'echo more >>made.txt', answer: 'yes' },
  { what: 'run programs of the system', sh: 'ls /usr/bin | grep -q .', answer: 'yes' },
  { what: 'run a program of the PATH in the home folder', sh: 'own-tool', answer: 'yes' },
  { what: 'read the history with git', sh: 'git log --oneline', answer: 'yes' },
  { what: 'ask git for the status of its worktree', sh: 'git status --porcelain', answer: 'yes' },
  { what: 'reach a server on this machine', sh: 'exec 3<>"/dev/tcp/127.0.0.1/$PORT"', answer: 'yes' },
  { what: 'write to the folder for temporary files', sh: 'echo x >"/tmp/probe-$MARK"', answer: 'private' },
  { what: 'write to the home folder', sh: 'echo x >"$HOME/probe"', answer: 'private' },
  { what: 'read a file of the home folder', sh: 'cat "$HOME/private.txt"', answer: 'no' },
  { what: 'read an ssh key', sh: 'cat "$HOME/.ssh/id_ed25519"', answer: 'no' },
  { what: 'read the password file of git and curl', sh: 'cat "$HOME/.netrc"', answer: 'no' },
  { what: 'read the global configuration of git', sh: 'cat "$HOME/.gitconfig"', answer: 'no' },
  { what: 'read the passwords of the system', sh: 'grep -q . /etc/shadow', answer: 'no' },
  { what: 'read the keys of the ssh server', sh: 'ls /etc/ssh | grep -q .', answer: 'no' },
  { what: 'read a secret of its environment', sh: '[ -n "$SECRET" ]', answer: 'no' },
  { what: 'read the environment of process 1', sh: 'tr "\\0" "\\n" </proc/1/environ | grep -q SECRET', answer: 'no' },
  { what: "read cadre's journal", sh: 'cat "$STATE"/journal/*', answer: 'no' },
  { what: "write to cadre's journal", sh: 'echo x >>"$STATE/journal/1.jsonl"', answer: 'no' },
  { what: 'list the boxes of sessions', sh: 'ls "$STATE/inbox" | grep -q .', answer: 'no' },
  { what: 'drop a message into the box of a session', sh: 'echo x >"$STATE/inbox/s7/new/1.json"', answer: 'no' },
  { what: 'read the digests of keys', sh: 'cat "$STATE/sessions/s7/keys"', answer: 'no' },
  { what: 'read your settings of cadre', sh: 'cat "$CADRE_HOME/config.json"', answer: 'no' },
  { what: 'write your settings of cadre', sh: 'echo x >>"$CADRE_HOME/config.json"', answer: 'private' },
  { what: 'read a file of the main checkout', sh: 'cat "$ROOT/file.txt"', answer: 'no' },
  { what: 'write a file in the main checkout', sh: 'echo x >>"$ROOT/file.txt"', answer: 'private' },
  { what: 'drop a sentinel in the main checkout', sh: 'echo x >"$ROOT/docs/plans/.signals/x"', answer: 'no' },
  { what: 'read a file of another worktree', sh: 'cat "$OTHER/file.txt"', answer: 'no' },
  { what: 'drop a sentinel in another worktree', sh: 'echo x >"$OTHER/docs/plans/.signals/x"', answer: 'no' },
  { what: 'commit', sh: 'git add -A && git commit -qm mine', answer: 'no' },
  { what: 'write an object', sh: 'echo x | git hash-object -w --stdin', answer: 'no' },
  { what: 'delete an object', sh: 'rm -f "$GIT"/objects/??/*; [ -z "$(ls "$GIT"/objects/??)" ]', answer: 'no' },
  { what: 'move a branch', sh: 'git update-ref refs/heads/main HEAD~1', answer: 'no' },
  { what: "write a file of git's refs", sh: 'echo x >"$GIT/refs/heads/mine"', answer: 'no' },
  { what: 'write the packed refs', sh: 'echo x >>"$GIT/packed-refs"', answer: 'no' },
  { what: 'install a hook', sh: 'echo x >"$GIT/hooks/post-commit"', answer: 'no' },
  { what: "write git's configuration", sh: 'echo x >>"$GIT/config"', answer: 'no' },
  { what: "change git's configuration with git", sh: 'git config core.editor evil', answer: 'no' },
  { what: "write git's attributes", sh: 'mkdir -p "$GIT/info"; echo x >>"$GIT/info/attributes"', answer: 'no' },
  { what: 'write the HEAD of its worktree', sh: 'echo x >"$GIT/worktrees/own/HEAD"', answer: 'no' },
  { what: 'replace the .git file of its worktree', sh: 'rm -f .git && echo x >.git', answer: 'no' },
  { what: 'move the .git file of its worktree', sh: 'mv .git elsewhere', answer: 'no' },
  {
    what: 'see other processes',
    sh: 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -q "[o]utside-$MARK"',
    answer: 'no',
  },
  { what: 'signal another process', sh: 'pkill -0 -f "^outside-$MARK"', answer: 'no' },
  { what: 'find the socket of a tmux server', sh: '[ -S "$SOCKET" ]', answer: 'no' },
  { what: 'write to the system', sh: 'echo x >/usr/probe || echo x >/etc/probe', answer: 'no' },
  { what: 'change a setting of the kernel', sh: 'cat /proc/sys/kernel/panic >/proc/sys/kernel/panic', answer: 'no' },
  { what: 'make a device', sh: 'mknod /tmp/disk b 8 0', answer: 'no' },
  { what: 'find a disk', sh: 'ls /dev/sd* /dev/vd* /dev/nvme* /dev/mem 2>/dev/null | grep -q .', answer: 'no' },
  {
    what: 'reach the main checkout by a symbolic link',
    sh: 'ln -sfn "$ROOT" link; grep -q text link/file.txt',
    answer: 'no',
  },
  { what: 'reach it by /proc/self/root', sh: 'grep -q text "/proc/self/root$ROOT/file.txt"', answer: 'no' },
  { what: 'reach it by /proc/1/root', sh: 'grep -q text "/proc/1/root$ROOT/file.txt"', answer: 'no' },
  { what: 'reach it by a new root', sh: 'chroot /proc/1/root grep -q text "$ROOT/file.txt"', answer: 'no' },
  {
    what: 'take a wall down in a nested namespace',
    sh: 'unshare --user --map-root-user --mount sh -c \'umount "$HOME"; cat "$HOME/private.txt"\'',
    answer: 'no',
  },
  {
    what: 'make git writable in a nested namespace',
    sh: 'unshare --user --map-root-user --mount sh -c \'mount -o remount,bind,rw "$GIT"; echo x >"$GIT/hooks/x"\'',
    answer: 'no',
  },
];
