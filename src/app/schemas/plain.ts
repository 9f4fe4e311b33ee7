// A type as it is in JSON: names are plain strings, lists may be written to.

/** What `JSON.parse` gives back of a value of this type. */
export type Plain<T> = T extends string
  ? string extends T
    ? string
    : T extends { readonly brand: string }
      ? string
      : T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Plain<T[Key]> }
      : T;
