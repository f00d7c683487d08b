import { ApiError } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { Test } from 'tap'
import { relatedWheres, startingModels } from './related-filters.ts'
import { openRelated } from './related-models.ts'
import { matchingIds } from './related-oracle.ts'

/**
 * Tests that conditions on related records find what going through all records finds, in a database that knows nothing of relations:
 * the keys are read first. How many records a list of keys names is refused there.
 */
export async function relatedFilterTests(t: Test, connector: Connector): Promise<void> {
  const { model } = await openRelated(t, connector, 'unmapped')
  const tried = startingModels.flatMap((name) => relatedWheres(name, 150).map((where) => ({ name, where })))
  let refused = 0
  for (const { name, where } of tried) {
    const found = await model(name).find({ where }).catch(refusal)
    if (found === undefined) refused++
    else
      t.strictSame(
        new Set(found.map((record) => record['id'] ?? record['code'])),
        new Set(matchingIds(name, where)),
        `${name} ${JSON.stringify(where)}`
      )
  }
  t.ok(refused < 100, `${refused} filters count the records of a list`)
}

function refusal(error: unknown): undefined {
  if (error instanceof ApiError && /by the number of (?:favorites|shelves)/.test(error.message)) return undefined
  throw error
}
