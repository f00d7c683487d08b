import type { Collection } from '@modelwire/core/connector'
import type { Test } from 'tap'
import type { FixtureModels } from './fixtures.ts'

/** What a case works with: an empty database of its own. */
export interface CaseContext {
  readonly models: FixtureModels
  readonly collections: Readonly<Record<keyof FixtureModels, Collection>>
}

/** Shows one behaviour. */
export type RunCase = (t: Test, context: CaseContext) => Promise<void>

/** One thing that every connector does. */
export interface TestCase {
  /** A sentence of behaviour, and the key under which a connector declares that it does something else. */
  readonly name: string
  readonly run: RunCase
}
