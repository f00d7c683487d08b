import type { Collection, ConnectorCapabilities } from '@modelwire/core'
import type { Test } from 'tap'
import type { FixtureModels } from './fixtures.ts'

/** What a case works with: an empty database of its own. */
export interface CaseContext {
  readonly models: FixtureModels
  readonly collections: Readonly<Record<keyof FixtureModels, Collection>>
}

/** One thing that every connector does. */
export interface TestCase {
  /** A sentence of behaviour, and the key under which a connector declares that it cannot do it. */
  readonly name: string
  /** The case only applies to connectors that have this capability. */
  readonly needs?: keyof ConnectorCapabilities & 'storesUndeclared'
  readonly run: (t: Test, context: CaseContext) => Promise<void>
}
