/** The two ways to declare models. */
export const styles = ['typebox', 'json'] as const
/** `typebox`: models in TypeScript. `json`: the folder of LoopBack 3. */
export type Style = (typeof styles)[number]

/** What the files of a new project are made from. */
export interface NewProject {
  /** A name that npm takes. */
  readonly name: string
  /** The range of versions of a package that the project depends on, such as `^1.2.0`. */
  readonly rangeOf: (packageName: string) => string
}

/** The files of a project by their paths. */
export type ProjectFiles = Readonly<Record<string, string>>

/** A JSON file as people write it. */
export const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** The ranges of packages by their names. */
export const ranges = (names: readonly string[], { rangeOf }: NewProject): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, rangeOf(name)]))
