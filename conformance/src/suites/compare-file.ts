import { kindOf } from './excluded.ts'
import type { FileOutcome } from './outcome.ts'

/** A test that passes with LoopBack and not here. */
export interface FailingTest {
  readonly title: string
  /** What it failed with; undefined where it did not run. */
  readonly failure?: string | undefined
}

/** What became of one file on both sides. */
export interface Compared {
  readonly file: string
  /** Tests that pass with LoopBack. */
  readonly original: number
  /** Those of them that pass here. */
  readonly here: number
  /** Those of them that pass only where no test before them had the application answer. */
  readonly alone: number
  /** Tests that fail here for a known reason, by kind. */
  readonly excluded: Readonly<Record<string, number>>
  /** Tests that fail here for no known reason. */
  readonly unexpected: readonly FailingTest[]
  /** Titles of excluded tests that pass. */
  readonly passing: readonly string[]
  /** Hooks, and the file itself, that failed here. */
  readonly hooks: readonly FailingTest[]
}

/** Holds what passes with LoopBack against what passes here. */
export function compareFile(
  file: string,
  original: readonly string[],
  here: FileOutcome = { passed: new Set(), failures: new Map() },
  titles: Readonly<Record<string, string>> = {}
): Compared {
  const alone = original.filter((title) => !here.passed.has(title) && here.alone?.has(title) === true)
  const passes = new Set([...here.passed, ...alone])
  const failing = original.filter((title) => !passes.has(title))
  const kinds = failing.flatMap((title) => kindOf(titles, title) ?? [])
  const known = new Set(original)
  return {
    file,
    original: original.length,
    here: original.length - failing.length,
    alone: alone.length,
    excluded: Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length])),
    unexpected: failing
      .filter((title) => kindOf(titles, title) === undefined)
      .map((title) => ({ title, failure: here.failures.get(title) })),
    passing: original.filter((title) => passes.has(title) && kindOf(titles, title) !== undefined),
    hooks: [...here.failures].filter(([title]) => !known.has(title)).map(([title, failure]) => ({ title, failure }))
  }
}
