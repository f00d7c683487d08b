import { type Driver, methodOf, partOf } from './juggler/driver.ts'

/**
 * What is known about a connector's conditions.
 *
 * - `relational`: it is built on the SqlConnector of `loopback-connector`, which writes them
 * - `mongodb`: it is `loopback-connector-mongodb`
 * - `other`: nothing. Its results are filtered in this process, and its changes are limited to ids
 */
export type Family = 'relational' | 'mongodb' | 'other'

/** The family of a connector. */
export function familyOf(driver: Driver): Family {
  if (partOf(driver, 'relational') === true && methodOf(driver, 'buildWhere') !== undefined) return 'relational'
  return partOf(driver, 'name') === 'mongodb' ? 'mongodb' : 'other'
}
