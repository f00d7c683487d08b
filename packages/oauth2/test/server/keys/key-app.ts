import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { createKeySeal, type KeyStore, modelKeyStore, signingKeyModel } from '#src/server/keys/key-store.ts'
import type { KeySettings } from '#src/server/keys/stored-key-ring.ts'

/** A secret of these tests. */
export const secret = 'a secret of tests that is long enough'

/** A database with the model of signing keys. */
export async function keyDatabase(
  t: Test,
  connector: Connector = memory(),
  migrates = false
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, models: [signingKeyModel] })
  await app.models.connect()
  if (migrates) await connector.migrate?.([app.models.typeOf('OAuthSigningKey')], { empty: true })
  await app.ready()
  return app
}

/** The store of keys of a database. */
export const storeOf = (app: FastifyInstance): KeyStore => modelKeyStore(app.models.typeOf('OAuthSigningKey'))

/** A clock that tests turn. */
export interface Clock {
  readonly now: () => Date
  /** Goes on by some seconds. */
  readonly turn: (seconds: number) => void
}

/** A clock that starts now. */
export function makeClock(): Clock {
  let time = Date.now()
  return {
    now: () => new Date(time),
    turn: (seconds) => {
      time += seconds * 1000
    }
  }
}

/** A day, a minute of cache and ten seconds of delay between processes. */
export const settingsOf = (store: KeyStore, clock: Clock, more: Partial<KeySettings> = {}): KeySettings => ({
  store,
  seal: createKeySeal([secret]),
  algorithm: 'ES256',
  times: { rotateAfter: 86_400, cacheFor: 60, refreshAfter: 10 },
  now: clock.now,
  ...more
})
