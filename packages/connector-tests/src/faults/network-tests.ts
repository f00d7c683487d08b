import type { Test } from 'tap'
import { networkCases } from './network-cases.ts'
import type { FaultTestsOptions } from './open-place.ts'

/** Runs what every connector to a database behind a network does when that is in trouble: one test per case. */
export async function networkTests(t: Test, options: FaultTestsOptions): Promise<void> {
  for (const { name, run } of networkCases) await t.test(name, async (t) => run(t, options))
}
