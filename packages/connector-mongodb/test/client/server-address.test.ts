import { readSettings } from '@modelwire/core/connector'
import t from 'tap'
import { serverAddress } from '#src/client/server-address.ts'
import { mongodb } from '#src/mongodb.ts'
import { MongodbSettingsSchema } from '#src/settings.ts'

const addresses: readonly (readonly [settings: Readonly<Record<string, unknown>>, address: string])[] = [
  [{}, 'mongodb://127.0.0.1:27017/test'],
  [{ url: '', host: '', port: 0, database: 'shop', user: '', password: '' }, 'mongodb://127.0.0.1:27017/shop'],
  [{ host: 'db', port: '27018', db: 'shop', url: null }, 'mongodb://db:27018/shop'],
  [{ host: 'a', hostname: 'b', database: 'shop', db: 'other' }, 'mongodb://b:27017/shop'],
  [{ host: 'db', user: 'u', username: 'me', password: 'p:/@' }, 'mongodb://me:p%3A%2F%40@db:27017/test'],
  [{ host: 'db', user: 'u' }, 'mongodb://db:27017/test'],
  [{ host: 'a:1,b:2', database: 'shop' }, 'mongodb://a:1,b:2/shop'],
  [{ protocol: 'mongodb+srv', host: 'cluster.example', database: 'shop' }, 'mongodb+srv://cluster.example/shop'],
  [{ url: 'mongodb://db/', database: 'shop' }, 'mongodb://db/shop'],
  [{ url: 'mongodb://u:p@a:1,b:2?replicaSet=rs', database: 'shop' }, 'mongodb://u:p@a:1,b:2/shop?replicaSet=rs'],
  [{ url: 'mongodb://db/own', database: 'shop', host: 'x' }, 'mongodb://db/own'],
  [
    { url: 'mongodb://db/own?poolSize=4&authSource=admin&useNewUrlParser=true&autoReconnect=true' },
    'mongodb://db/own?authSource=admin'
  ],
  [{ url: 'mongodb://db/own?keepAlive=true' }, 'mongodb://db/own']
]

void t.test('the address is made of the settings as LoopBack has them', async (t) => {
  for (const [settings, address] of addresses)
    t.equal(serverAddress(readSettings(MongodbSettingsSchema, settings, 'MongoDB')), address, JSON.stringify(settings))
})

void t.test('a setting of the wrong type stops the start', async (t) => {
  for (const settings of [{ url: 5 }, { port: 'x' }, { strictObjectIDCoercion: 'yes' }, { protocol: 'http' }])
    t.throws(() => mongodb(settings), { code: 'OPTION_INVALID' }, JSON.stringify(settings))
})

void t.test('settings of other drivers, and of older ones, stop nothing', async (t) => {
  const old = {
    useNewUrlParser: true,
    autoReconnect: true,
    reconnectTries: 5,
    connector: 'mongodb',
    name: 'db',
    safe: true
  }
  const connector = mongodb({
    ...old,
    host: 'db',
    poolSize: 3,
    ssl: true,
    sslValidate: false,
    w: 'majority',
    wtimeout: 5
  })
  const client: unknown = Reflect.get(Object(connector.scriptConnector), 'client')
  t.match(Reflect.get(Object(client), 'options'), {
    maxPoolSize: 3,
    tls: true,
    rejectUnauthorized: false,
    writeConcern: { w: 'majority' },
    ignoreUndefined: true
  })
  await connector.disconnect()
})
