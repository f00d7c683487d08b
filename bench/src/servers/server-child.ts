// One server in a process of its own. Started by `spawnServer` with the settings as JSON in the last argument.
import { Session } from 'node:inspector/promises'
import { folderOf } from '../others/install.ts'
import { isOther, others } from '../others/others.ts'
import type { Guarded } from './access-parts.ts'
import type { BenchServer, ServerKind, ServerSettings } from './bench-server.ts'
import { buildHandwritten } from './handwritten.ts'
import type { Message, Question } from './messages.ts'
import type { Observed } from './ops-parts.ts'

// `spawnServer` wrote them.
const settings = JSON.parse(process.argv[2] ?? '{}') as ServerSettings
const guardedOf: Partial<Record<ServerKind, Guarded>> = {
  'modelwire-open': 'open',
  'modelwire-token': 'token',
  'modelwire-rows': 'rows'
}
const observedOf: Partial<Record<ServerKind, Observed>> = {
  'modelwire-metrics': 'metrics',
  'modelwire-traced': 'traced',
  'modelwire-instrumented': 'instrumented'
}
const server = await build(settings)
const session = new Session()
const answers: Readonly<Record<Question, () => Promise<Message>>> = {
  restore: async () => {
    await server.restore()
    return { kind: 'done' }
  },
  memory: async () => ({ kind: 'memory', bytes: process.memoryUsage.rss() }),
  'start-profile': startProfile,
  'stop-profile': stopProfile
}
process.on('message', (question: Question) => void answer(question))
// The parent is gone.
process.on('disconnect', () => process.exit())
tell({ kind: 'ready', address: await server.listen(), facts: server.facts })

async function answer(question: Question): Promise<void> {
  tell(await answers[question]())
}

async function build(given: ServerSettings): Promise<BenchServer> {
  const { kind, rows, database, databaseUrl = '', tokens = 'jwt', tables = 'own' } = given
  // Imported on demand, so that no server carries the others in its memory.
  if (kind === 'oauth2') return (await import('../oauth2/modelwire-server.ts')).buildOAuth2(tokens)
  if (kind === 'oidc-provider') return (await import('../oauth2/oidc-provider-server.ts')).buildOidcProvider(tokens)
  if (kind === 'resource-server') return (await import('../oauth2/resource-api.ts')).buildResourceApi()
  if (isOther(kind)) return others[kind].build({ rows, folder: folderOf(kind), databaseUrl })
  if (database === 'mongodb') return buildOnMongodb(given)
  if (kind === 'handwritten' && database === undefined) return buildHandwritten(rows).server
  if (database !== undefined && (kind === 'handwritten' || kind === 'handwritten-json')) {
    const { buildHandwrittenSql } = await import('./handwritten-sql.ts')
    return (await buildHandwrittenSql(rows, { database, databaseUrl, tables, asJson: kind === 'handwritten-json' }))
      .server
  }
  return buildOurs(given)
}

async function buildOnMongodb({ kind, rows, databaseUrl = '' }: ServerSettings): Promise<BenchServer> {
  if (kind === 'modelwire')
    return (await (await import('./modelwire-mongodb.ts')).buildModelwireMongodb(rows, databaseUrl)).server
  return (await (await import('./handwritten-mongodb.ts')).buildHandwrittenMongodb(rows, databaseUrl)).server
}

async function buildOurs({
  kind,
  rows,
  productsOnly = false,
  database,
  databaseUrl = '',
  tables = 'own'
}: ServerSettings): Promise<BenchServer> {
  if (database === 'mongodb') throw new RangeError('MongoDB has servers of its own')
  const on = database === undefined ? {} : { on: { database, databaseUrl, tables } }
  const [guarded, observed] = [guardedOf[kind] ?? 'none', observedOf[kind] ?? 'not']
  const { buildModelwire } = await import('./modelwire.ts')
  return (await buildModelwire(rows, { indexed: kind === 'modelwire-indexed', productsOnly, guarded, observed, ...on }))
    .server
}

async function startProfile(): Promise<Message> {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  return { kind: 'done' }
}

async function stopProfile(): Promise<Message> {
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return { kind: 'profile', json: JSON.stringify(profile) }
}

function tell(message: Message): void {
  process.send?.(message)
}
