import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text in files of tests that has another one in its place. */
export interface Edit {
  readonly files: readonly string[]
  readonly from: string
  readonly to: string
  readonly why: string
}

/** Why tests of LoopBack do not pass here. */
export interface Excluded {
  /** What each kind means. */
  readonly kinds: Readonly<Record<string, string>>
  /** What is changed of the tests of each suite before they run here. */
  readonly edits: Readonly<Record<string, readonly Edit[]>>
  /** Per suite and file: the kind of each test by its title, or by the start of it where `*` follows. */
  readonly suites: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
}

/** Reads `suites.json`. */
export function readExcluded(): Excluded {
  const file = join(import.meta.dirname, '..', '..', 'suites.json')
  return JSON.parse(readFileSync(file, 'utf8')) as Excluded // Its form is tested.
}

/** The kind that a test is excluded by; undefined for one that has to pass. */
export function kindOf(titles: Readonly<Record<string, string>>, title: string): string | undefined {
  const exact = titles[title]
  if (exact !== undefined) return exact
  return Object.entries(titles).find(([key]) => key.endsWith('*') && title.startsWith(key.slice(0, -1)))?.[1]
}
