// The two files of settings, as a port.

import type { By } from '../model/event.ts';
import type { FailureCode } from '../model/failure.ts';
import type { Suggestion } from '../model/suggestion.ts';
import type { ConfigPlace, Settings } from '../settings/settings.ts';

export interface ConfigReading {
  readonly settings: Settings;
  /** Which file a setting comes from; one that stands in none has its default. */
  readonly from: Readonly<Record<string, ConfigPlace>>;
  /** Sentences about values that cannot be used. While there are any, nothing is done by these settings. */
  readonly problems: readonly string[];
  /** Sentences about what is left unused. */
  readonly warnings: readonly string[];
}

/** The two files, as the commands see them. A file that is no JSON is a Failure that names the place in it. */
export interface ConfigFiles {
  readonly by: By;
  readonly paths: { readonly global: string; readonly project: string | undefined };
  read(): Promise<ConfigReading>;
  /** Nothing is written unless the whole file is good afterwards. */
  set(place: ConfigPlace, key: string, value: string): Promise<SettingChange>;
}

export type SettingChange =
  | { readonly kind: 'set'; readonly path: string; readonly value: unknown }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly why: string; readonly try: readonly Suggestion[] };
