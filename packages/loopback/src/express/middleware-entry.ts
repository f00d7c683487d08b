import { PhasesOutOfOrder } from '../errors.ts'

/** LoopBack's own phases. */
const phases = ['initial', 'session', 'auth', 'parse', 'routes', 'files', 'final']

/** An enabled entry of `middleware.json`. */
export interface MiddlewareEntry {
  /** As written: `cors`, `helmet#frameguard`, `./middleware/log`. */
  readonly name: string
  /** `initial:before` and the like. */
  readonly phase: string
  /** The first parameter, or the only one. */
  readonly params: unknown
  /** Those that follow it, if the file has a list. */
  readonly moreParams: readonly unknown[]
  /** The paths that it applies to; empty for all. */
  readonly paths: readonly string[]
  readonly methods: readonly string[]
  /** The module is skipped if it is missing. */
  readonly optional: boolean
  readonly file: string
  readonly key: string
}

/** `initial` of `initial:before`. */
export function phaseOf(key: string): string {
  return key.replace(/:(before|after)$/, '')
}

/**
 * All phases in the order in which requests pass them: `known`, which are LoopBack's, with those of `keys` inserted after
 * the one that they follow there.
 * @throws {PhasesOutOfOrder} `keys` have two phases in the opposite order
 * @see LoopBack 3: loopback-phase, lib/merge-name-lists.js
 */
export function orderPhases(
  keys: readonly string[],
  fileOf: (key: string) => string,
  existing: readonly string[] = phases
): readonly string[] {
  const ordered = [...existing]
  let last = -1
  for (const phase of new Set(keys.map(phaseOf))) {
    const index = ordered.indexOf(phase)
    if (index === -1) ordered.splice(last + 1, 0, phase)
    else if (index < last) {
      throw new PhasesOutOfOrder(`phase "${phase}" must come before "${ordered[last]}"`, {
        file: fileOf(phase),
        key: phase
      })
    }
    last = ordered.indexOf(phase)
  }
  return ordered
}

/** The position of a key such as `routes:before` in the order of phases. */
export function phaseRank(key: string, ordered: readonly string[]): number {
  const suffix = { before: 0, after: 2 }[key.split(':')[1] ?? ''] ?? 1
  return ordered.indexOf(phaseOf(key)) * 3 + suffix
}
