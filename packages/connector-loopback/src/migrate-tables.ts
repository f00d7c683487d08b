import { NotImplemented } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { type Driver, methodOf } from './juggler/driver.ts'
import { callWithCallback } from './juggler/with-callback.ts'

/**
 * Has a connector make the tables of models anew, or bring them up to date: its own way of doing so, which may drop columns that
 * no model has.
 * @throws {NotImplemented} it has no such way, and its records would have to be removed
 */
export async function migrateTables(driver: Driver, models: readonly ModelType[], empty: boolean): Promise<void> {
  const migrate = methodOf(driver, empty ? 'automigrate' : 'autoupdate')
  if (migrate !== undefined) await callWithCallback(migrate, driver, [models.map(({ name }) => name)])
  else if (empty) throw new NotImplemented('the connector has no automigrate')
}
