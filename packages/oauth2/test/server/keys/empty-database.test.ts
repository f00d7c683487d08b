import { sqlite } from '@modelwire/connector-sqlite'
import { migrate } from '@modelwire/core'
import t from 'tap'
import { makeApp } from '../../make-app.ts'

t.test('an application starts on an empty database, makes its tables, and signs', async (t) => {
  const options = { accessTokens: 'jwt' as const, keys: {}, resources: ['https://api.example'] }
  const app = await makeApp(t, { options, connector: sqlite({ file: ':memory:' }) })
  const warnings: unknown[] = []
  app.log.warn = (...said: unknown[]) => void warnings.push(said)
  await app.ready()
  t.match(warnings, [[{ reason: /the table of/ }, /migrate the database/]], 'one warning, without a stack')
  t.equal(warnings.length, 1)
  await migrate(app.models)
  const { keys } = (await app.inject(String(app.oauth2.settings.paths.jwks))).json<{ keys: unknown[] }>()
  t.ok(keys.length > 0)
})
