import t from 'tap'
import { withUrlFrom } from '#src/read/connectors/create-data-sources.ts'

const place = { file: 'server/datasources.json', key: 'db' }
const written = {
  connector: 'memory',
  host: 'h',
  port: 1,
  database: 'd',
  password: 'p',
  file: 'f',
  urlFrom: 'DB',
  schema: 's'
}

const cases: readonly (readonly [url: string | undefined, settings: object])[] = [
  [undefined, { connector: 'memory', host: 'h', port: 1, database: 'd', password: 'p', file: 'f', schema: 's' }],
  ['', { connector: 'memory', host: 'h', port: 1, database: 'd', password: 'p', file: 'f', schema: 's' }],
  ['postgres://h/d', { connector: 'postgresql', url: 'postgres://h/d', schema: 's' }],
  ['mariadb://h/d', { connector: 'mysql', url: 'mysql://h/d', schema: 's' }],
  ['mongodb+srv://h/d', { connector: 'mongodb', url: 'mongodb+srv://h/d', schema: 's' }],
  ['rediss://h', { connector: 'kv-redis', url: 'rediss://h', schema: 's' }],
  ['sqlite:data/app.db', { connector: 'sqlite', file: 'data/app.db', schema: 's' }],
  ['sqlite:///var/app.db', { connector: 'sqlite', file: '/var/app.db', schema: 's' }],
  ['memory:', { connector: 'memory', schema: 's' }]
]

for (const [url, settings] of cases)
  void t.test(`the URL ${url} chooses connector and settings`, async (t) => {
    t.same(
      withUrlFrom(written, () => url, place),
      settings
    )
  })

t.test('a variable that holds no URL of a database is a coded error that does not show it', async (t) => {
  for (const url of ['user:secret@host', 'http://user:secret@host', 'constructor:secret', 'secret'])
    t.throws(() => withUrlFrom(written, () => url, place), {
      code: 'CONFIG_VALUE_INVALID',
      message: /^(?!.*secret).*variable DB must contain/,
      where: { key: 'db.urlFrom' }
    })
  t.throws(() => withUrlFrom({ urlFrom: 1 }, () => 'memory:', place), { code: 'CONFIG_VALUE_INVALID' })
  t.same(
    withUrlFrom({ connector: 'memory' }, () => 'x', place),
    { connector: 'memory' }
  )
})
