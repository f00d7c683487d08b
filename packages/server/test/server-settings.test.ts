import { type Static, Type } from '@sinclair/typebox'
import t from 'tap'
import { clientSettings, readServerSettings } from '#src/server-settings.ts'

const schema = Type.Object(
  {
    url: Type.Optional(Type.String({ default: 'queue://here' })),
    prefix: Type.Optional(Type.String({ default: 'app:' })),
    ...clientSettings<{ readonly tls?: boolean }>('Queue', 'further options')
  },
  { additionalProperties: false }
)

const read = (settings: unknown, place?: string): object =>
  readServerSettings(
    schema,
    settings as Static<typeof schema>, // what a configuration file has
    { name: 'queue', schemes: ['queue:'], ...(place !== undefined && { place }) },
    ({ url }) => url.split(',')
  )

t.test('settings of a server have their defaults', async (t) => {
  t.strictSame(read({}), { url: 'queue://here', prefix: 'app:', timeout: 1000 })
  const client = { tls: true }
  t.match(read({ url: 'queue://a,queue://b', client }), { url: 'queue://a,queue://b', client })
})

t.test('what is malformed is refused by its place in the configuration', async (t) => {
  const wrong: readonly (readonly [settings: unknown, key: string])[] = [
    [{ timeout: 0 }, 'timeout'],
    [{ host: 'here' }, 'host'],
    [{ client: 7 }, 'client'],
    [{ prefix: 7 }, 'prefix'],
    [{ url: 'here' }, 'url'],
    [{ url: 'http://here' }, 'url'],
    [{ url: 'queue://a,here' }, 'url']
  ]
  for (const [settings, key] of wrong) {
    t.throws(() => read(settings), { code: 'OPTION_INVALID', where: { key } }, key)
    t.throws(() => read(settings, 'state'), { code: 'OPTION_INVALID', where: { key: `state.${key}` } }, key)
  }
  t.throws(() => read(7, 'state'), { code: 'OPTION_INVALID', where: { key: 'state' } })
})

t.test('a URL that is refused is not shown', async (t) => {
  t.throws(() => read({ url: '//ann:secret@host' }), { message: /^(?!.*secret)/s })
})
