import { PhasesOutOfOrder } from '../errors.ts'

/** LoopBack's own phases. */
const phases = ['initial', 'session', 'auth', 'parse', 'routes', 'files', 'final']

/** `initial` of `initial:before`. */
export function phaseOf(key: string): string {
  return key.replace(/:(before|after)$/, '')
}

/**
 * All phases in the order in which requests meet them: `known`, which are LoopBack's, with those of `keys` put behind the
 * one that they follow there.
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
      throw new PhasesOutOfOrder(`the phase "${phase}" stands behind "${ordered[last]}", which comes later`, {
        file: fileOf(phase),
        key: phase
      })
    }
    last = ordered.indexOf(phase)
  }
  return ordered
}

/** Where a key such as `routes:before` comes, given the order of phases. */
export function phaseRank(key: string, ordered: readonly string[]): number {
  const suffix = { before: 0, after: 2 }[key.split(':')[1] ?? ''] ?? 1
  return ordered.indexOf(phaseOf(key)) * 3 + suffix
}
