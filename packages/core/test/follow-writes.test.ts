import { replicaReads } from '#src/caller/replica-reads.ts'
import { decorateCaller } from '#src/caller/request-caller.ts'
import type { DataSource } from '#src/contract/data-source.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { followWrites } from '#src/follow-writes.ts'

/** A server that answers whether its reads may lag, on every path but those that write. */
function serve(t: Test, replicas: { readonly readAfterWrite: number } | undefined): FastifyInstance {
  const app = Fastify()
  decorateCaller(app)
  // This is all that is asked of data sources.
  const dataSource = { connector: { capabilities: { replicas } } } as unknown as DataSource
  followWrites(app, new Map([['db', dataSource]]))
  app.get('/read', async () => replicaReads()?.mayLag() ?? 'not asked')
  app.get('/hit', async () => {
    replicaReads()?.noteWrite()
    return replicaReads()?.mayLag()
  })
  app.post('/write', async () => replicaReads()?.mayLag() ?? 'not asked')
  t.teardown(() => app.close())
  return app
}

void t.test('requests that read may lag, those that write and those that follow them do not', async (t) => {
  const app = serve(t, { readAfterWrite: 60_000 })
  t.equal((await app.inject('/read')).body, 'true')
  const written = await app.inject({ method: 'POST', url: '/write' })
  t.equal(written.body, 'not asked')
  t.match(written.headers['set-cookie'], /^modelwire_wrote=1; Max-Age=60;/)
  t.equal((await app.inject('/read')).body, 'false')
  t.equal((await app.inject({ url: '/read', remoteAddress: '10.0.0.1' })).body, 'true')
})

void t.test('a read that writes counts as a write', async (t) => {
  const app = serve(t, { readAfterWrite: 60_000 })
  const hit = await app.inject('/hit')
  t.equal(hit.body, 'false')
  t.match(hit.headers['set-cookie'], /^modelwire_wrote=1/)
  t.equal((await app.inject('/read')).body, 'false')
  t.notOk((await app.inject('/read')).headers['set-cookie'], 'reading does not make it longer')
})

void t.test('a client may ask for what is stored now', async (t) => {
  const app = serve(t, { readAfterWrite: 60_000 })
  const asked = async (value: string) => (await app.inject({ url: '/read', headers: { 'cache-control': value } })).body
  t.equal(await asked('no-cache'), 'false')
  t.equal(await asked('max-age=0, No-Cache'), 'false')
  t.equal(await asked('max-age=0'), 'true')
})

void t.test('what a stream reads once it has begun does not lag', async (t) => {
  const app = serve(t, { readAfterWrite: 60_000 })
  app.get('/stream', async (_request, reply) => {
    const before = replicaReads()?.mayLag()
    reply.hijack()
    reply.raw.writeHead(200)
    reply.raw.end(`${before} ${replicaReads()?.mayLag()}`)
  })
  t.equal((await app.inject('/stream')).body, 'true false')
})

void t.test('without replicas nothing is followed', async (t) => {
  const app = serve(t, undefined)
  t.equal((await app.inject('/read')).body, 'not asked')
  t.notOk((await app.inject({ method: 'POST', url: '/write' })).headers['set-cookie'])
})
