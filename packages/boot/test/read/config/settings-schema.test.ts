import t from 'tap'
import { readConfig } from '#src/read/config/read-config.ts'
import { checkConfig, SettingsSchema } from '#src/read/config/settings-schema.ts'
import { ModelEntrySchema } from '@modelwire/loopback/api'
import { makeAppFolder } from '../../make-app.ts'

const wrong: [unknown, string][] = [
  [{ restApiRoot: 1 }, 'restApiRoot'],
  [{ port: 70_000 }, 'port'],
  [{ remoting: { rest: { xml: 'yes' } } }, 'remoting.rest.xml'],
  [{ remoting: { json: { limit: true } } }, 'remoting.json.limit'],
  [{ remoting: { sharedMethods: { find: 'no' } } }, 'remoting.sharedMethods.find'],
  [{ remoting: [] }, 'remoting']
]

for (const [value, key] of wrong) {
  void t.test(`names the file and the key ${key}`, async (t) => {
    const folder = await makeAppFolder(t, { 'server/config.json': value })
    const config = readConfig(folder, 'config')
    const place = { file: 'server/config.json', key }
    t.throws(() => checkConfig(SettingsSchema, config.value, config, []), {
      code: 'CONFIG_VALUE_INVALID',
      where: place
    })
  })
}

void t.test('says what each alternative would be, and what was found', async (t) => {
  const value = { remoting: { json: { limit: true } } }
  const folder = await makeAppFolder(t, { 'server/config.json': value })
  const config = readConfig(folder, 'config')
  const message = /expected .*\bnumber\b.*\bstring\b.*|expected .*\bstring\b.*\bnumber\b.*/
  t.throws(() => checkConfig(SettingsSchema, config.value, config, []), { message })
  t.throws(() => checkConfig(SettingsSchema, config.value, config, []), {
    message: /, found true \(server\/config\.json/
  })
})

void t.test('takes every generated configuration and keys of the application', async (t) => {
  const value = {
    restApiRoot: '/api',
    host: '0.0.0.0',
    port: 3000,
    own: { key: 1 },
    remoting: {
      context: false,
      rest: { handleErrors: false, normalizeHttpPath: false, xml: false },
      json: { strict: false, limit: '100kb' },
      urlencoded: { extended: true, limit: '100kb' },
      cors: false
    }
  }
  const config = readConfig(await makeAppFolder(t, { 'server/config.json': value }), 'config')
  t.strictSame(checkConfig(SettingsSchema, config.value, config, []), value)
})

void t.test('puts the path to the value before the key', async (t) => {
  const config = readConfig(await makeAppFolder(t, {}), 'model-config')
  const check = (): unknown => checkConfig(ModelEntrySchema, { public: 'yes' }, config, ['Thing'])
  t.throws(check, { code: 'CONFIG_VALUE_INVALID', where: { file: 'server/model-config.json', key: 'Thing.public' } })
})
