// The two configuration files, as a port.

import type { By } from '../model/event.ts';
import type { FailureCode } from '../model/failure.ts';
import type { Suggestion } from '../model/suggestion.ts';
import type { ConfigPlace, Settings } from '../settings/settings.ts';

export interface ConfigReading {
  readonly settings: Settings;
  /** Which file each setting comes from. A setting that is in neither has its default. */
  readonly from: Readonly<Record<string, ConfigPlace>>;
  /** Sentences about invalid values. While there are any, the settings are not used. */
  readonly problems: readonly string[];
  /** Sentences about entries that have no effect. */
  readonly warnings: readonly string[];
}

/** The two files, for commands. A file that is not JSON is a Failure that names the position of the mistake. */
export interface ConfigFiles {
  readonly by: By;
  readonly paths: { readonly global: string; readonly project: string | undefined };
  read(): Promise<ConfigReading>;
  /** Every setting by its key (`land`, `limits.relaunches`), with the words that it can be, if there are few. */
  known(): Promise<readonly KnownSetting[]>;
  /** Writes only if the whole file is valid afterwards. */
  set(place: ConfigPlace, key: string, value: string): Promise<SettingChange>;
}

export interface KnownSetting {
  readonly key: string;
  readonly values: readonly string[];
}

export type SettingChange =
  | { readonly kind: 'set'; readonly path: string; readonly value: unknown }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly why: string; readonly try: readonly Suggestion[] };
